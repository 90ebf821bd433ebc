"""The real agents through the real queue, by rule: notes become records, graph, topics, focus, identity, a report."""

from __future__ import annotations

from datetime import timedelta

import pytest
from google.cloud.firestore_v1 import Client

from shared.brain.agent import NewJob
from shared.brain.registry import agents
from shared.contracts.jobs import JobStatus
from shared.contracts.notes import NoteCreate
from shared.memory.recall import Recall
from shared.memory.why import why
from shared.notes.create import create
from shared.store.graph import node_id
from tests.support.seams import CountingIds
from tests.unit.brain.queue.conftest import queue_firestore, shared_clock  # noqa: F401
from tests.unit.brain.queue.world import QueueWorld, SharedClock

NOTES = (
    "Orlin works at Harrow Docks. Orlin lives in Velm.",
    "Orlin's birthday is on 3 May. Orlin likes old maps.",
    "I prefer green tea.",
)


@pytest.mark.slow
def test_three_notes_become_memory_and_everything_that_is_made_of_it(
    queue_firestore: Client,  # noqa: F811
    shared_clock: SharedClock,  # noqa: F811
) -> None:
    world = QueueWorld(queue_firestore, shared_clock, *agents().values())
    store = world.store()
    for n, body in enumerate(NOTES):
        note = create(
            store, NoteCreate(title=f"Note {n}", body=body), clock=world.clock, ids=CountingIds(f"n{n}"), key=None
        )
        source = {"kind": "note", "id": note.note.id}
        world.brain.enqueue(world.workspace, NewJob("cognitive_extractor", {"source": source}))

    def reported() -> bool:
        waiting = [job for job in world.jobs() if job.status is JobStatus.PENDING]
        return bool(waiting) and {job.kind for job in waiting} == {"situation_reporter"}

    world.drain(until=reported)
    assert {job.status for job in world.jobs()} == {JobStatus.DONE, JobStatus.PENDING}
    hits = Recall(store).recall("Where does Orlin work?").hits
    assert "Harrow Docks" in hits[0].record.text
    assert why(store, hits[0].record.id).trail[0].job is not None
    assert "harrow docks" in {one.key for one in store.graph.around(node_id("orlin"), 1, 20).nodes}
    identity, focus = store.identity.find(), store.focus.find()
    assert identity is not None and [one.text for one in identity.statements] == ["I prefer green tea."]
    assert focus is not None and focus.title == "Orlin" and focus.summary
    assert "Orlin" in {one.name for one in store.topics.list(10)}
    assert [event["type"] for event in world.events("focus_shift_judge")] == ["focus_shifted"]

    world.clock.advance(timedelta(days=1).total_seconds())
    world.work_once()
    (report,) = [job for job in world.jobs() if job.kind == "situation_reporter" and job.status is JobStatus.DONE]
    assert report.output is not None and "Orlin" in store.notes.get(report.output["note_id"]).body
