"""Memory on the queue itself: from a job of the extractor to records, with batches, counts and follow-ups."""

from __future__ import annotations

from pathlib import Path

from shared.brain.agent import NewJob
from shared.brain.registry import agents
from shared.contracts.jobs import JobStatus
from shared.contracts.notes import NoteCreate
from shared.notes.create import create
from shared.store.records import RecordsWanted
from tests.support.cloud import local_firestore
from tests.support.seams import CountingIds
from tests.unit.brain.queue.world import QueueWorld, SharedClock


def test_a_note_is_remembered_and_forgotten_by_jobs(tmp_path: Path) -> None:
    clock = SharedClock()
    with local_firestore(tmp_path, clock) as client:
        world = QueueWorld(client, clock, *agents().values())
        store = world.store()
        request = NoteCreate(body="I prefer tea. Anna works at Globex. Am I hungry?")
        note = create(store, request, clock=clock, ids=CountingIds("n"), key=None).note
        source = {"source": {"kind": "note", "id": note.id}, "revision": "1"}
        world.brain.enqueue(world.workspace, NewJob("cognitive_extractor", source))
        world.drain()
        assert {one.text for one in store.records.list(RecordsWanted(10))[0]} == {
            "I prefer tea.",
            "Anna works at Globex.",
        }
        jobs = world.jobs()
        assert {job.status for job in jobs} == {JobStatus.DONE}, [job.error for job in jobs]
        assert {"graph_extractor", "focus_shift_judge", "identity_distiller"} <= {job.kind for job in jobs}
        statuses = {one.id: one for one in world.brain.status(world.workspace).agents}
        assert statuses["committer"].refusal_rate == 0.0 and statuses["committer"].model == "rules"
        store.trash.put_in(note.id, "me")
        forget = NewJob("committer", {"forget": {"kind": "note", "id": note.id}})
        world.brain.enqueue(world.workspace, forget)
        world.drain()
        assert store.records.list(RecordsWanted(10))[0] == ()
        assert {job.status for job in world.jobs()} == {JobStatus.DONE}


def test_what_rests_on_a_session_is_forgotten_with_it(tmp_path: Path) -> None:
    clock = SharedClock()
    with local_firestore(tmp_path, clock) as client:
        world = QueueWorld(client, clock, *agents().values())
        for _ in range(2):
            world.brain.session_gone(world.workspace, "s1")
        world.drain()
        (job,) = world.jobs()
        assert job.kind == "committer" and job.status is JobStatus.DONE
        assert job.input["forget"] == {"kind": "session", "id": "s1"}
