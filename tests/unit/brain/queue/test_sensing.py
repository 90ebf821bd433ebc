"""What the senses make of notes and events: one job for one cause, however often and in whatever order it is told."""

from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from shared.contracts.events import Envelope
from shared.contracts.jobs import MemoryJob
from shared.contracts.notes import NoteCreate
from shared.contracts.operations import EXTRACT_DOCUMENT, Operation
from shared.errors import Forbidden
from shared.notes.create import create
from shared.trace.received import TraceEvent
from shared.trigger import Change
from tests.support.seams import CountingIds
from tests.unit.brain.queue.conftest import MakeWorld
from tests.unit.brain.queue.sensed import SENSES
from tests.unit.brain.queue.world import QueueWorld

MOMENT = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
NOTE: dict[str, Any] = {
    "kind": "capture",
    "title": "T",
    "body": "I like rye.",
    "parts": 0,
    "body_bytes": 11,
    "tags": [],
}


def written(here: QueueWorld, old: dict[str, Any] | None, new: dict[str, Any] | None, at: int = 0) -> None:
    change = Change(
        document=("workspaces", here.workspace, "notes", "n1"),
        old=old,
        new=new,
        create_time=MOMENT,
        update_time=MOMENT + timedelta(seconds=at) if new is not None else None,
        event_id=f"e{at}",
        event_type="written",
        sent_at=MOMENT,
    )
    here.brain.note_written(change)


def event(here: QueueWorld, stream: str, kind: str, **data: Any) -> None:
    envelope = Envelope(id="x-1", seq=1, type=kind, at=MOMENT, stream=stream, data=data)
    here.brain.event(TraceEvent(here.workspace, envelope))


def kinds(jobs: list[MemoryJob]) -> list[str]:
    return sorted(job.kind for job in jobs)


def test_a_written_note_is_one_job_however_often_it_is_told(world: MakeWorld) -> None:
    here = world(*SENSES)
    for _ in range(3):
        written(here, None, NOTE)
    (job,) = here.jobs()
    assert job.input["source"] == {"kind": "note", "id": "n1", "session_id": None}
    assert job.input["revision"] == MOMENT.isoformat() and job.run_after - here.now() == timedelta(seconds=10)
    assert here.executions.started == [here.workspace]


def test_each_text_of_a_note_is_a_job_of_its_own(world: MakeWorld) -> None:
    here = world(*SENSES)
    written(here, None, NOTE)
    written(here, NOTE, {**NOTE, "body": "I like spelt."}, at=5)
    assert {job.input["revision"] for job in here.jobs()} == {
        MOMENT.isoformat(),
        (MOMENT + timedelta(seconds=5)).isoformat(),
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (NOTE, {**NOTE, "tags": ["bread"]}),
        (None, {**NOTE, "kind": "report"}),
        ({**NOTE, "kind": "digest"}, None),
        (NOTE, {**NOTE, "updated_at": MOMENT}),
    ],
)
def test_what_is_no_new_word_of_the_person_is_no_job(world: MakeWorld, old: Any, new: Any) -> None:
    here = world(*SENSES)
    written(here, old, new)
    assert here.jobs() == []


def test_a_note_that_is_gone_is_forgotten(world: MakeWorld) -> None:
    here = world(*SENSES)
    written(here, NOTE, None)
    written(here, NOTE, None)
    (job,) = here.jobs()
    assert (job.kind, job.input["forget"]) == ("committer", {"kind": "note", "id": "n1"})


def test_a_deletion_told_late_forgets_nothing_of_a_note_that_is_there_again(world: MakeWorld) -> None:
    here = world(*SENSES)
    create(here.store(), NoteCreate(body="again"), clock=here.clock, ids=CountingIds(), key="n1")
    note_id = here.client.collection(f"workspaces/{here.workspace}/notes").get()[0].id
    change = Change(("workspaces", here.workspace, "notes", note_id), NOTE, None, None, None, "e", "deleted", MOMENT)
    here.brain.note_written(change)
    assert here.jobs() == []


def test_the_end_of_a_turn_is_one_job(world: MakeWorld) -> None:
    here = world(*SENSES)
    for _ in range(2):
        event(here, "chat_sessions/s1", "turn_ended", turn_id="t1", status="completed")
    event(here, "chat_sessions/s1", "user_message", turn_id="t1", text="x")
    (job,) = here.jobs()
    assert job.input["source"] == {"kind": "turn", "id": "t1", "session_id": "s1"}


def test_an_extracted_document_is_cut_in_pieces(world: MakeWorld) -> None:
    here = world(*SENSES)
    operation = Operation(
        id="op_1",
        kind=EXTRACT_DOCUMENT,
        document_id="d1",
        created_at=MOMENT,
        updated_at=MOMENT,
    )
    here.client.document(f"workspaces/{here.workspace}/operations/op_1").set(operation.model_dump())
    event(here, "operations/op_1", "completed", document_id="d1", chunks=3)
    event(here, "operations/op_2", "completed", document_id="d2")
    event(here, "operations/op_1", "completed", report_note_id="n2")
    (job,) = here.jobs()
    assert (job.kind, job.input["document_id"]) == ("source_chunker", "d1")


def test_a_workspace_without_the_brain_senses_nothing(world: MakeWorld) -> None:
    here = world(*SENSES)
    here.spending.refusing = Forbidden("off")
    written(here, None, NOTE)
    written(here, NOTE, None, at=1)
    event(here, "chat_sessions/s1", "turn_ended", turn_id="t1")
    assert here.jobs() == [] and here.executions.started == []


def test_without_the_agent_there_is_nothing_to_sense_for(world: MakeWorld) -> None:
    here = world()
    written(here, None, NOTE)
    event(here, "chat_sessions/s1", "turn_ended", turn_id="t1")
    assert here.jobs() == []


def test_any_order_of_deliveries_gives_the_same_jobs(world: MakeWorld) -> None:
    told = [(None, NOTE, 0), (NOTE, {**NOTE, "body": "b"}, 1), ({**NOTE, "body": "b"}, None, 2)] * 3
    found = []
    for seed in range(3):
        here = world(*SENSES)
        for old, new, at in random.Random(seed).sample(told, len(told)):
            written(here, old, new, at)
        found.append(kinds(here.jobs()))
    assert found == [["cognitive_extractor", "cognitive_extractor", "committer"]] * 3
