"""`memex notes export` and `import` against the API itself."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from google.cloud.firestore_v1 import Client

from infra.cli.main import memex
from tests.support.served import served
from tests.support.stores import firestore  # noqa: F401

_names = itertools.count(1)
Run = Callable[..., Result]


@pytest.fixture
def run(firestore: Client, tmp_path: Path) -> Iterator[Run]:  # noqa: F811
    """Calls `memex notes …` in one of two workspaces."""
    names = {which: f"{which}{next(_names)}" for which in ("first", "second")}
    with served(firestore, tmp_path / "files", *names.values()) as url:

        def call(*arguments: str, workspace: str = "first", group: str = "notes", **options: Any) -> Result:
            where = ["--url", url, "--token", names[workspace]]
            return CliRunner().invoke(memex, [group, *arguments, *where], **options)

        yield call


def summary(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.stdout))


def contents(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in folder.iterdir()}


def without_moments(files: dict[str, str]) -> dict[str, list[str]]:
    return {name: [line for line in text.splitlines() if "updated_at" not in line] for name, text in files.items()}


def test_out_and_in_again_changes_nothing_and_elsewhere_makes_the_same(run: Run, tmp_path: Path) -> None:
    for title, body in (("What costs what?", "See [[Rye]]."), ("Rye", "See [[What costs what?]]."), ("rye", "small")):
        run("add", "--title", title, body, group="note")
    one, two = tmp_path / "one", tmp_path / "two"
    assert run("export", str(one)).exit_code == 0
    assert len(contents(one)) == 3 and "[[What costs what|What costs what?]]" in (one / "Rye.md").read_text()
    assert summary(run("export", str(one), "--json"))["files"] == {"same": 3}
    assert summary(run("import", str(one), "--json"))["notes"] == {"same": 3}
    assert summary(run("import", str(one), "--json", workspace="second"))["notes"] == {"created": 3}
    run("export", str(two), workspace="second")
    assert without_moments(contents(two)) == without_moments(contents(one))


def test_a_changed_file_is_shown_then_taken_and_a_changed_note_is_not_lost(run: Run, tmp_path: Path) -> None:
    run("add", "--title", "Rye", "It rises.", group="note")
    folder = tmp_path / "out"
    run("export", str(folder))
    file = folder / "Rye.md"
    (folder / "kept").mkdir()
    file.write_text(file.read_text().replace("It rises.", "It sinks."))
    file = file.rename(folder / "kept" / "Bread.md")
    shown = run("import", str(folder), "--dry-run")
    assert "-It rises." in shown.stdout and "+It sinks." in shown.stdout and "1 updated" in shown.stdout
    assert summary(run("export", str(folder), "--json"))["changed_there"] == ["kept/Bread.md"]
    assert summary(run("import", str(folder), "--json"))["notes"] == {"updated": 1}
    assert summary(run("import", str(folder), "--json"))["notes"] == {"same": 1}
    assert summary(run("export", str(folder), "--json"))["files"] == {"written": 1}, (
        "its front matter is brought up to date"
    )
    assert [each.name for each in folder.rglob("*.md")] == ["Bread.md"], "a file that was moved is found"


def test_a_vault_begins_no_research_unless_that_is_wanted_and_confirmed(run: Run, tmp_path: Path) -> None:
    vault = tmp_path / "Vault"
    vault.mkdir()
    (vault / "Ask.md").write_text("How cold? #research")
    (vault / "Sheet.csv").write_text("a,b\n1,2\n")
    dry = run("import", str(vault), "--dry-run")
    assert "begins nothing" in dry.stdout and "1 added" in dry.stdout
    assert run("import", str(vault), "--research", input="n\n").exit_code == 1
    assert summary(run("list", "--json", group="note"))["notes"] == []
    taken = summary(run("import", str(vault), "--json"))
    assert (taken["notes"], taken["not_researched"], taken["documents"]) == ({"created": 1}, 1, {"created": 1})
    again = summary(run("import", str(vault), "--json"))
    assert (again["notes"], again["documents"]) == ({"same": 1}, {"same": 1})
    (vault / "More.md").write_text("Another. #research")
    asked = summary(run("import", str(vault), "--research", "--yes", "--json", "--no-attachments"))
    assert asked["researched"] == 1


def test_two_files_of_one_note_and_a_tag_that_is_none_spoil_nothing(run: Run, tmp_path: Path) -> None:
    run("add", "--title", "Rye", "It rises.", group="note")
    folder = tmp_path / "out"
    run("export", str(folder))
    (folder / "Copy.md").write_text((folder / "Rye.md").read_text())
    (folder / "Odd.md").write_text("---\ntags: ['a b c', '###', '']\ntitle: \"x\\u202Ey\"\n---\n")
    taken = summary(run("import", str(folder), "--json"))
    assert taken["notes"] == {"created": 1, "same": 1}
    assert [one["path"] for one in taken["skipped"]] == ["Rye.md"]
