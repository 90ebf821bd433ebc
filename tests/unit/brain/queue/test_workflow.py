"""workflows/brain.yaml against what it promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from infra.local.functions.apps import read_manifest
from shared.brain.draining import LANE_TIME, RENEWED_AT, SLEEP_MOST_SECONDS
from shared.brain.registry import agents

ROOT = Path(__file__).parents[4]
SOURCE = yaml.safe_load((ROOT / "workflows" / "brain.yaml").read_text())
RESEARCH = yaml.safe_load((ROOT / "workflows" / "research.yaml").read_text())


def post(source: Any) -> Any:
    [step, _answer] = source["ask"]["steps"]
    return step["post"]


def test_it_retries_as_the_other_workflows_do() -> None:
    assert post(SOURCE)["retry"] == post(RESEARCH)["retry"]
    assert SOURCE["may_succeed_later"] == RESEARCH["may_succeed_later"]


def test_a_call_is_not_repeated_while_the_function_may_still_work() -> None:
    assert post(SOURCE)["try"]["args"]["timeout"] > read_manifest(ROOT).function("brain").timeout_seconds


def test_the_longest_job_ends_within_the_request_that_began_it() -> None:
    longest = max(agent.timeout_ms for agent in agents().values()) / 1000
    assert LANE_TIME.total_seconds() + longest + 30 < read_manifest(ROOT).function("brain").timeout_seconds


def test_the_lease_outlives_a_lane_with_the_longest_job_and_the_longest_sleep() -> None:
    longest = max(agent.timeout_ms for agent in agents().values()) / 1000
    assert RENEWED_AT.total_seconds() > LANE_TIME.total_seconds() + longest + SLEEP_MOST_SECONDS


def test_it_holds_no_job_and_no_content() -> None:
    text = (ROOT / "workflows" / "brain.yaml").read_text()
    code = "\n".join(line for line in text.splitlines() if not line.strip().startswith("#"))
    assert not [word for word in ("input", "output", "kind", "job_id", "priority") if word in code]


def test_what_agents_depend_on_is_there_and_runs_in_no_circle() -> None:
    found, open_ends = set[str](), dict(agents())
    while open_ends:
        free = [one for one in open_ends.values() if found.issuperset(one.depends_on)]
        assert free, f"these wait for each other, or for agents that are none: {sorted(open_ends)}"
        found |= {one.id for one in free}
        for one in free:
            del open_ends[one.id]
