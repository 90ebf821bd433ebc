"""The queue: what is enqueued is worked on once, in order; what fails comes again, and nothing holds up another."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from shared.brain.agent import Desk, NewJob, Outcome
from shared.contracts.jobs import COUNT_SHARDS, JobStatus
from shared.contracts.operations import Usage
from shared.contracts.usage import UsageKind
from shared.errors import BudgetExceeded, Forbidden, InputError, NotFound, Transient
from shared.store.streams import EventDraft
from tests.unit.brain.queue.conftest import MakeWorld
from tests.unit.brain.queue.world import Given, scripted


def failing(_given: Given, _desk: Desk) -> Outcome:
    raise Transient("The model is away.")


def test_a_job_is_worked_on_and_its_output_kept(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    job = here.put("echo", "hello")

    assert here.drain().status == "done"

    done = here.job(job)
    assert (done.status, done.output, done.attempts, done.model) == (JobStatus.DONE, {"text": "hello"}, 0, "rules")
    assert done.locked_until is None and done.finished_at is not None
    assert here.counts() == here.counted() | {"done": 1}


def test_jobs_are_taken_by_priority_then_by_their_time(world: MakeWorld) -> None:
    order: list[str] = []

    def note(given: Given, _desk: Desk) -> Outcome:
        order.append(given.text)
        return Outcome({})

    here = world(scripted("echo", note))
    here.put("echo", "later", after=5)
    here.put("echo", "sooner", after=1)
    here.put("echo", "low", priority=10)
    here.put("echo", "high", priority=90, after=5)
    here.clock.advance(10)
    here.work_once()

    assert order == ["high", "sooner", "later", "low"]


def test_a_job_is_not_begun_before_its_time(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    job = here.put("echo", after=30)
    here.work_once()
    assert here.job(job).status is JobStatus.PENDING
    here.clock.advance(31)
    here.work_once()
    assert here.job(job).status is JobStatus.DONE


def test_a_job_in_flight_is_answered_instead_of_a_second_one_with_its_key(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    first, second, other = here.put("echo", "a", key="k"), here.put("echo", "b", key="k"), here.put("echo", key="l")
    assert second.id == first.id != other.id and len(here.jobs()) == 2
    here.drain()
    assert here.put("echo", "c", key="k").id != first.id and here.keys() == 1


def test_two_who_enqueue_one_key_at_the_same_instant_have_one_job(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    brains, gate = [here.another() for _ in range(6)], threading.Barrier(6)

    def put(n: int) -> str:
        gate.wait(10)
        return brains[n].enqueue(here.workspace, NewJob("echo", {"text": str(n), "key": "k"})).id

    with ThreadPoolExecutor(6) as pool:
        ids = set(pool.map(put, range(6)))

    assert len(ids) == 1 and len(here.jobs()) == 1 and here.counts()["pending"] == 1


def test_one_cause_makes_one_job_also_after_that_has_ended(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    first = here.brain.enqueue(here.workspace, NewJob("echo", {}), job_id="job_1")
    here.drain()
    assert here.brain.enqueue(here.workspace, NewJob("echo", {}), job_id="job_1").id == first.id
    assert here.counts() == here.counted() | {"done": 1, "pending": 0}


def test_a_failed_attempt_comes_again_later_and_later_and_then_the_job_has_failed(world: MakeWorld) -> None:
    here = world(scripted("weak", failing, max_attempts=6))
    job, waits = here.put("weak", key="k"), []
    for _ in range(5):
        here.work_once()
        now = here.job(job)
        assert now.status is JobStatus.PENDING and now.error is not None and now.error.code == "unavailable"
        waits.append((now.run_after - here.now()).total_seconds())
        here.clock.advance(waits[-1] + 1)
    here.work_once()

    for wait, least in zip(waits, (60, 120, 240, 300, 300), strict=True):
        assert least <= wait <= min(least + 10, 300)
    ended = here.job(job)
    assert (ended.status, ended.attempts) == (JobStatus.FAILED, 6)
    assert here.keys() == 0 and here.counts() == here.counted() | {"failed": 1}
    told = {
        "type": "job_failed",
        "job_id": job.id,
        "attempts": 6,
        "code": "unavailable",
        "message": "The model is away.",
    }
    assert here.events("weak") == [told]


@pytest.mark.parametrize("error", [ValueError("a bug"), InputError("not this"), ZeroDivisionError()])
def test_whatever_an_agent_raises_is_a_failed_attempt_and_holds_up_no_other(world: MakeWorld, error: Exception) -> None:
    def poison(given: Given, desk: Desk) -> Outcome:
        raise error

    here = world(scripted("poison", poison, max_attempts=1), scripted("echo"))
    bad = [here.put("poison", priority=90) for _ in range(15)]
    good = here.put("echo", priority=1)
    here.work_once()

    assert here.job(good).status is JobStatus.DONE
    assert {here.job(one).status for one in bad} == {JobStatus.FAILED}


def test_a_job_of_an_agent_that_is_none_any_more_fails(world: MakeWorld) -> None:
    here = world(scripted("echo", max_attempts=1))
    job = here.put("echo")
    here.agents.clear()
    here.work_once()
    assert here.job(job).status is JobStatus.FAILED
    with pytest.raises(NotFound, match="There is no agent 'echo'"):
        here.put("echo")


def test_a_document_that_is_no_job_hides_nothing_that_comes_after_it(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    strange = {"kind": "echo", "status": "pending", "waiting_on": 0, "priority": 100, "run_after": here.now()}
    jobs = here.client.collection(f"workspaces/{here.workspace}/memory_jobs")
    for n in range(20):
        jobs.document(f"strange{n}").set(strange)
    good = here.put("echo")

    assert here.drain().status == "done"
    assert here.job(good).status is JobStatus.DONE
    assert {(one.to_dict() or {})["status"] for one in jobs.stream() if one.id.startswith("strange")} == {"failed"}


def test_an_output_that_is_not_the_agents_own_fails_the_attempt(world: MakeWorld) -> None:
    here = world(scripted("odd", lambda _given, _desk: Outcome({"other": 1}), max_attempts=1))
    job = here.put("odd")
    here.work_once()
    error = here.job(job).error
    assert error is not None and error.code == "model_output"


@pytest.mark.parametrize("given", [{"text": "x" * 40_000}, {"other": 1}, {"text": "\ud800"}])
def test_an_input_that_the_agent_does_not_take_is_refused_at_once(world: MakeWorld, given: dict[str, object]) -> None:
    here = world(scripted("echo"))
    with pytest.raises(InputError, match="input"):
        here.brain.enqueue(here.workspace, NewJob("echo", given))
    assert here.jobs() == []


def test_a_workspace_without_the_brain_takes_no_job_and_is_not_drained(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    job = here.put("echo")
    here.spending.refusing = Forbidden("off")
    with pytest.raises(Forbidden):
        here.put("echo")
    with pytest.raises(AssertionError):
        here.take()
    assert here.job(job).status is JobStatus.PENDING


def test_a_used_up_quota_puts_the_job_off_for_an_hour_and_counts_no_attempt(world: MakeWorld) -> None:
    def dear(_given: Given, _desk: Desk) -> Outcome:
        raise BudgetExceeded("The month's quota is used up.")

    here = world(scripted("dear", dear))
    job = here.put("dear")
    here.work_once()
    now = here.job(job)
    assert (now.status, now.attempts, now.run_after - here.now()) == (JobStatus.PENDING, 0, timedelta(hours=1))
    assert now.error is not None and now.error.code == "quota"


def test_what_a_job_brings_and_its_end_are_one_commit(world: MakeWorld) -> None:
    from shared.store.writes import put

    def bring(given: Given, desk: Desk) -> Outcome:
        return Outcome(
            {"text": "kept"},
            writes=(put("topics/t1", {"v": 1, "id": "t1", "name": given.text, "updated_at": desk.now()}),),
            events=(EventDraft("topic_named", {"id": "t1"}),),
            enqueue=(NewJob("echo", {"text": "next"}),),
            counts={"candidates": 3, "admitted": 1, "refused": 2},
            usage=Usage(input_tokens=10, output_tokens=5),
            model="scripted",
        )

    here = world(scripted("bring", bring), scripted("echo"))
    job = here.put("bring", "bread")
    here.drain()

    done = here.job(job)
    (status, _echo) = here.brain.status(here.workspace).agents
    (following,) = [one for one in here.jobs() if one.id != job.id]
    assert done.usage.input_tokens == 10 and done.model == "scripted"
    assert here.client.document(f"workspaces/{here.workspace}/topics/t1").get().get("name") == "bread"
    assert here.events("bring") == [{"type": "topic_named", "id": "t1"}]
    assert (following.status, following.parent_job_id, following.input["text"]) == (JobStatus.DONE, job.id, "next")
    assert (status.model, status.success_rate) == ("scripted", 1.0)
    assert status.refusal_rate == pytest.approx(2 / 3)
    assert status.last_run_at is not None
    usage = here.store().usage.book(here.now().strftime("%Y-%m")).by_kind[UsageKind.BRAIN]
    assert (usage.count, usage.input_tokens, usage.output_tokens) == (1, 10, 5)


def test_the_status_costs_the_same_few_reads_however_many_jobs_there_are(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    reads: list[int] = []

    class Counting:
        def get_all(self, paths: list[str]) -> list[object]:
            reads.append(len(paths))
            return []

    from shared.store.brain_counts import BrainCounts

    BrainCounts(Counting()).read()  # type: ignore[arg-type]
    assert reads == [COUNT_SHARDS]
    for _ in range(5):
        here.put("echo")
    assert here.counts()["pending"] == 5


def test_more_than_one_commit_takes_is_the_agents_fault(world: MakeWorld) -> None:
    from shared.store.writes import put

    def much(_given: Given, _desk: Desk) -> Outcome:
        return Outcome({}, writes=tuple(put(f"topics/t{n}", {"v": 1}) for n in range(401)))

    here = world(scripted("much", much, max_attempts=1))
    job = here.put("much")
    here.work_once()
    ended = here.job(job)
    assert ended.status is JobStatus.FAILED and ended.error is not None and "400 writes" in ended.error.message
