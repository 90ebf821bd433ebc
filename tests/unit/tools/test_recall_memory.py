"""The tool recall_memory: memories with a word on each and links, as of the end of a day, and what can be cited."""

from __future__ import annotations

from datetime import date, datetime, timezone

from shared.contracts.memory import RecordStatus, SourceKind, SourceRef
from shared.store.database import Database
from shared.store.workspace import WorkspaceStore
from shared.tools.recall_memory import TOOL, Arguments
from tests.support.jobs import job
from tests.support.memories import SAID, a_record, remember
from tests.support.seams import FakeClock


def test_a_memory_comes_with_its_links_and_what_of_them_can_be_cited(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    turn = SourceRef(kind=SourceKind.TURN, id="t1", session_id="s1", quote="I live in Velm", said_at=SAID)
    record = a_record("r1", "I live in Velm.", valid_from=SAID)
    remember(database, record.model_copy(update={"sources": (*record.sources, turn)}))
    answer = TOOL.run(job(store, clock), Arguments(query="where do I live"))
    (memory,) = answer["memories"]
    assert memory["record_id"] == "r1" and memory["holds_from"] == "2026-11-01"
    assert {one["link"] for one in memory["sources"]} == {"#/notes/note-r1", "#/chat/s1"}
    assert [(one.note_id, one.passage) for one in TOOL.sources(answer)] == [("note-r1", "I live in Velm.")]


def test_a_day_means_its_end(store: WorkspaceStore, database: Database, clock: FakeClock) -> None:
    moved = datetime(2026, 6, 1, 10, tzinfo=timezone.utc)
    old = a_record("old", "I live in Tarn.", valid_to=moved, status=RecordStatus.SUPERSEDED)
    remember(database, old, a_record("new", "I live in Velm.", valid_from=moved))

    def as_of(day: date | None) -> list[str]:
        answer = TOOL.run(job(store, clock), Arguments(query="where do I live", as_of=day))
        return [memory["record_id"] for memory in answer["memories"]]

    assert as_of(date(2026, 5, 31)) == ["old"] and as_of(date(2026, 6, 1)) == as_of(None) == ["new"]
