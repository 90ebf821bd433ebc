"""The generated documentation says what the code says."""

from __future__ import annotations

import inspect
from pathlib import Path

from infra.docs import EXAMPLE, ROOT, SECTIONS, example_file, generated, stale, write
from shared.contracts import approvals, errors, events, note_index, notes, operations, research, routines, tasks
from shared.contracts.base import Model, Stored


def test_the_generated_documentation_is_fresh() -> None:
    assert not stale(ROOT / "docs"), "run: make docs"


def test_the_example_of_an_env_file_is_fresh() -> None:
    assert (ROOT / EXAMPLE).read_text(encoding="utf-8") == example_file(), "run: make docs"


def test_a_changed_and_a_left_over_file_are_stale(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "settings.md").write_text("old")
    (tmp_path / "contracts" / "Gone.json").write_text("{}")
    assert stale(tmp_path) == ["Gone.json", "settings.md"]
    write(tmp_path)
    assert not stale(tmp_path)


def test_every_contract_is_documented_by_itself_or_inside_another() -> None:
    files = "".join(generated().values())
    for module in (errors, events, notes, operations, research, approvals, note_index, routines, tasks):
        for name, model in inspect.getmembers(module, inspect.isclass):
            if issubclass(model, Model | Stored) and model.__module__ == module.__name__:
                assert f'"{name}"' in files or f"[{name}]" in files, name


def test_the_workflow_argument_is_among_them() -> None:
    assert research.ResearchArgument in SECTIONS["Workflows and functions"].values()
