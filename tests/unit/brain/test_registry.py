"""The registry: every agent has its folder and its form, and what it says of others is true."""

from __future__ import annotations

from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from infra.docs import ROOT
from infra.docs_brain import with_agents
from shared.brain import agents as folder
from shared.brain.agent import BrainAgent
from shared.brain.making import known
from shared.brain.registry import agents
from shared.contracts.events import EventType
from shared.errors import NotFound
from shared.memory.recall import READS

FOLDERS = Path(str(folder.__file__)).parent
EVENTS = {value for name, value in vars(EventType).items() if not name.startswith("_")}
EVERY = list(agents().values())


def test_each_folder_is_an_agent_of_its_name_and_is_registered() -> None:
    names = {path.name for path in FOLDERS.iterdir() if path.is_dir() and not path.name.startswith("_")}
    assert names == set(agents())


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.id)
def test_an_agent_has_its_schemas_and_a_prompt_where_it_asks_a_model(one: BrainAgent) -> None:
    has_prompt = (FOLDERS / one.id / "prompt.md").is_file()
    assert has_prompt == (one.model_class != "none")
    assert one.input_schema["type"] == one.output_schema["type"] == "object" and one.description.endswith(".")
    assert set(one.emits) <= EVENTS and set(one.depends_on) <= set(agents())
    assert 1 <= one.max_attempts <= 10 and one.timeout_ms >= 1_000


def test_nobody_comes_after_itself_and_the_registry_is_in_an_order_of_work() -> None:
    order = list(agents())
    for one in EVERY:
        assert all(order.index(before) < order.index(one.id) for before in one.depends_on)
    tuple(TopologicalSorter({one.id: set(one.depends_on) for one in EVERY}).static_order())


def test_an_agent_that_is_none_is_refused_by_name() -> None:
    with pytest.raises(NotFound, match="nobody"):
        known(agents(), "nobody")


def test_the_page_says_how_much_a_recall_reads_and_has_a_place_for_the_agents() -> None:
    page = (ROOT / "docs" / "brain.md").read_text(encoding="utf-8")
    assert f"at most {READS} documents" in page
    with pytest.raises(ValueError, match="lacks"):
        with_agents("A page without marks.")
