"""Notes from files: created once, updated where the file alone has changed, and quiet about the tag `research`."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest

from shared.contracts.note_files import FileOutcome, FileResult, NoteFile
from shared.contracts.notes import Citation, NoteKind, NotePatch
from shared.notes.delete import delete
from shared.notes.fingerprints import fingerprint
from shared.notes.from_file import How, take_in
from shared.notes.patch import patch
from shared.store.workspace import WorkspaceStore
from tests.support.seams import FakeClock

CREATED = datetime(2024, 3, 2, tzinfo=timezone.utc)


@pytest.fixture
def taken(store: WorkspaceStore, clock: FakeClock) -> Any:
    def take(how: How | None = None, **fields: Any) -> FileResult:
        given = {"id": "n1", "name": "Rye.md", "title": "Rye", "body": "It rises.", "tags": ("bread",), **fields}
        return take_in(store, NoteFile(**given), how or How("ada"), clock=clock)

    return take


def test_a_note_is_created_with_what_the_file_says_and_again_nothing_changes(store: WorkspaceStore, taken: Any) -> None:
    given = {"kind": NoteKind.REPORT, "created_at": CREATED, "citations": (Citation(n=1, title="T", url="https://x"),)}
    assert taken(**given).outcome is FileOutcome.CREATED
    note = store.notes.get("n1")
    assert (note.title, note.kind, note.created_at, note.tags) == ("Rye", NoteKind.REPORT, CREATED, ("bread",))
    assert note.citations[0].url == "https://x" and note.seq == 1
    assert taken(**given).outcome is FileOutcome.SAME
    assert taken(body="It rises.\r\n").outcome is FileOutcome.SAME
    assert store.notes.get("n1") == note


def test_a_file_that_has_changed_changes_its_note_and_a_long_one_its_parts(store: WorkspaceStore, taken: Any) -> None:
    taken(body="é" * 400_000)
    assert store.notes.get("n1").parts == 2
    dry = taken(How("ada", dry_run=True), body="short", tags=("bread", "rye"))
    assert dry.outcome is FileOutcome.UPDATED and dry.before.tags == ("bread",) and len(dry.before.body) == 400_000
    assert taken(body="short", tags=("bread", "rye")).outcome is FileOutcome.UPDATED
    note = store.notes.get("n1")
    assert (note.body, note.parts, note.tags, note.seq) == ("short", 0, ("bread", "rye"), 2)


def test_what_has_changed_here_stays_unless_the_file_is_to_win(
    store: WorkspaceStore, clock: FakeClock, taken: Any
) -> None:
    taken()
    patch(store, "n1", NotePatch(body="It sinks."), clock=clock, by="ada")
    assert taken().outcome is FileOutcome.NOTE_NEWER
    both = taken(How("ada", dry_run=True), body="It stands.")
    assert both.outcome is FileOutcome.CONFLICT and both.before.body == "It sinks."
    assert taken(body="It stands.").outcome is FileOutcome.CONFLICT
    assert store.notes.get("n1").body == "It sinks."
    base = fingerprint("Rye", ["bread"], "It sinks.")
    assert taken(body="It stands.", base=base).outcome is FileOutcome.UPDATED, "the file was written from that state"
    assert taken(How("ada", overwrite=True), body="It rests.").outcome is FileOutcome.UPDATED


def test_the_tag_research_that_comes_with_a_file_counts_as_dealt_with(store: WorkspaceStore, taken: Any) -> None:
    result = taken(tags=("research",))
    assert result.outcome is FileOutcome.CREATED and not result.researched
    claim, found = store.claims.read("n1").claim, store.notes.look("n1")
    assert found is not None and claim.operation_id is None and claim.tagged_at == found[1].update_time
    taken(id="n2", tags=("bread",))
    assert taken(id="n2", tags=("bread", "research")).outcome is FileOutcome.UPDATED
    second, found = store.claims.read("n2").claim, store.notes.look("n2")
    assert found is not None and second.tagged_at == found[1].update_time
    asked = taken(How("ada", research=True), id="n3", tags=("research",))
    assert asked.researched and store.claims.read("n3").claim.tagged_at is None
    assert not taken(How("ada", research=True), id="n4", tags=("research",), kind=NoteKind.REPORT).researched


def test_a_deleted_note_stays_deleted_and_a_bad_file_is_refused_alone(store: WorkspaceStore, taken: Any) -> None:
    taken()
    delete(store, "n1", by="ada")
    assert taken().outcome is FileOutcome.IN_TRASH and store.notes.find("n1") is None
    assert taken(id="a/b").outcome is FileOutcome.REFUSED
    assert taken(id="n9", body="é" * 2_600_000).outcome is FileOutcome.REFUSED


def test_a_dry_run_writes_nothing(store: WorkspaceStore, taken: Any) -> None:
    assert taken(How("ada", dry_run=True)).outcome is FileOutcome.CREATED and store.notes.find("n1") is None
