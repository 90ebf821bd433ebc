"""The look-out beside a lane: a worker ends when its time is up, and soon after its job is no longer its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from google.cloud.firestore_v1 import Client

from shared.brain.agent import BrainAgent, Desk, Outcome
from shared.clock import in_thread
from shared.contracts.jobs import JobStatus
from shared.errors import Transient
from tests.unit.brain.queue.world import Given, QueueWorld, SharedClock, scripted

Watched = Callable[..., QueueWorld]


@pytest.fixture
def watched(queue_firestore: Client, shared_clock: SharedClock) -> Watched:
    """A world with look-outs, in which time passes as they sleep."""

    def make(*agents: BrainAgent) -> QueueWorld:
        return QueueWorld(queue_firestore, shared_clock, *agents, spawn=in_thread)

    return make


def until_cut(_given: Given, desk: Desk) -> Outcome:
    assert desk.cut.wait(20)
    raise Transient(f"cut: {desk.cut.reason}")


def test_an_agent_whose_time_is_up_is_stopped_and_that_was_an_attempt(watched: Watched) -> None:
    here = watched(scripted("slow", until_cut, timeout_ms=5_000))
    job = here.put("slow")
    here.brain.run(here.take())
    now = here.job(job)
    assert (now.status, now.attempts) == (JobStatus.PENDING, 1)
    assert now.error is not None and now.error.code == "timeout"


def test_a_worker_whose_job_was_cancelled_elsewhere_is_stopped_within_seconds(watched: Watched) -> None:
    reached, reasons = threading.Event(), list[str]()

    def block(_given: Given, desk: Desk) -> Outcome:
        reached.set()
        assert desk.cut.wait(20)
        reasons.append(desk.cut.reason)
        return Outcome({})

    here = watched(scripted("block", block, timeout_ms=10**9))
    job = here.put("block")
    elsewhere, request = here.another(), here.take()
    lane = threading.Thread(target=here.brain.run, args=(request,), daemon=True)
    lane.start()
    assert reached.wait(20)
    assert elsewhere.cancel(here.workspace, job.id).changed
    lane.join(20)
    assert reasons == ["lost"] and here.job(job).status is JobStatus.CANCELLED
