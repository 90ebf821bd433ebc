"""Claiming a step: one commit of the run's frame, its ledger and the step's document. The steps are the queue."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from shared.contracts.events import EventType
from shared.contracts.runs import AgentRun, Budget, RunStatus, RunStep, StepKind, StepStatus
from shared.runs import budgets
from shared.runs.ending import step_write
from shared.runs.frames import of_step
from shared.runs.ports import Key, Ports
from shared.runs.queueing import Queue
from shared.runs.taking_over import held
from shared.runs.waiting import after_waiting, on_time
from shared.store.streams import Append, EventDraft
from shared.store.writes import Snapshot

LOOK_SECONDS = 1.0
"""How soon a lane that found nothing to do looks again."""


@dataclass(frozen=True)
class Claim:
    """A step of which the caller is the worker, with the run and all its steps as they were then."""

    run: AgentRun
    step: RunStep
    steps: tuple[RunStep, ...]


@dataclass(frozen=True)
class Nothing:
    """No step is ready; with `more` one may be in so many seconds."""

    more: bool
    wait_seconds: float = 0.0


@dataclass(frozen=True)
class Choice:
    """What is claimed, with its budget, or else skipped. `wait_seconds` None: nothing will come."""

    step: RunStep | None = None
    budget: Budget = Budget()
    wait_seconds: float | None = None
    run: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the run that change with it."""
    skipped: tuple[RunStep, ...] = ()


Choose = Callable[[AgentRun, Sequence[RunStep], datetime], Choice]


class Claiming:
    def __init__(self, ports: Ports, queue: Queue) -> None:
        self._ports, self._queue = ports, queue

    def next(self, key: Key, fence: int) -> Claim | Nothing:
        """The next step that is ready, claimed; at a bound of the run those that wait are skipped.

        Raises NotFound, Superseded when the run has ended or is another execution's, Transient.
        """
        return self._claimed(key, fence, self._ready)

    def one(self, key: Key, fence: int, kind: StepKind, status: RunStatus) -> Claim | Nothing:
        """The plan or the synthesis, claimed; the run's status is `status` from then on. Raises as `next`."""

        def choose(run: AgentRun, steps: Sequence[RunStep], now: datetime) -> Choice:
            step = next(step for step in steps if step.kind is kind)
            if step.status.terminal:
                return Choice()
            if step.status is StepStatus.RUNNING and (left := _left(step, now)) > 0:
                return Choice(wait_seconds=left)
            deadline = now + timedelta(seconds=self._ports.settings.run_seconds)
            times = {"started_at": run.started_at or now, "deadline_at": run.deadline_at or deadline}
            return Choice(step, run={"status": status.value, **times})

        return self._claimed(key, fence, choose)

    def _claimed(self, key: Key, fence: int, choose: Choose) -> Claim | Nothing:
        runs = self._ports.store(key.workspace).runs
        seen: list[tuple[Choice, tuple[RunStep, ...], Mapping[str, Any]]] = []

        def decide(run: AgentRun | None, found: Snapshot) -> Append | None:
            run = after_waiting(held(run, key, fence), found.read_time)
            steps = runs.steps(key.run_id)
            choice = choose(run, steps, found.read_time)
            held_so = self._hold(choice.step, choice.budget, found) if choice.step is not None else {}
            seen[:] = [(choice, steps, held_so)]
            return self._append(run, choice, held_so)

        with self._queue.turn(key):
            change = runs.append(key.run_id, decide, point="run.claim_step")
        choice, steps, held_so = seen[0]
        if choice.step is None:
            return Nothing(choice.wait_seconds is not None, choice.wait_seconds or 0.0)
        return Claim(change.run, RunStep.model_validate({**choice.step.model_dump(), **held_so}), steps)

    def _ready(self, run: AgentRun, steps: Sequence[RunStep], now: datetime) -> Choice:
        """A step whose worker was lost comes first, then the next one whose dependencies are done."""
        running = [step for step in budgets.work(steps) if step.status is StepStatus.RUNNING]
        lost = next((step for step in running if _left(step, now) <= 0), None)
        if lost is not None:
            return Choice(lost, lost.budget)
        waiting = budgets.waiting(steps)
        if not waiting:
            return Choice()
        if (bound := budgets.reached(run, now)) is not None:
            return Choice(run={"stop_reason": bound}, skipped=tuple(waiting))
        ended = {step.id for step in steps if step.status.terminal}
        able = [step for step in waiting if ended.issuperset(step.depends_on)]
        due = next((step for step in able if step.run_after is None or step.run_after <= now), None)
        if due is None or len(running) >= self._ports.settings.run_lanes:
            return Choice(wait_seconds=_soonest(able, now))
        granted = budgets.grant(run.ledger, len(waiting)) if due.budget == Budget() else due.budget
        return Choice(due, granted) if granted is not None else Choice(wait_seconds=LOOK_SECONDS)

    def _append(self, run: AgentRun, choice: Choice, held_so: Mapping[str, Any]) -> Append | None:
        now, step = self._ports.now(), choice.step
        if step is None:
            ended = {"status": StepStatus.SKIPPED.value, "finished_at": now, "updated_at": now}
            writes = tuple(step_write(one, **ended) for one in choice.skipped)
            return Append({**on_time(run), **choice.run, "updated_at": now}, (), writes) if writes else None
        update: dict[str, Any] = {**on_time(run), **choice.run, "updated_at": now}
        if step.budget != choice.budget:
            granted = run.ledger.granted + choice.budget
            update["ledger"] = run.ledger.model_copy(update={"granted": granted}).model_dump()
        frames = (_begun(step, held_so["attempt"]),) if step.status is StepStatus.PENDING else ()
        return Append(update, frames, (step_write(step, **held_so),))

    def _hold(self, step: RunStep, budget: Budget, found: Snapshot) -> Mapping[str, Any]:
        now = self._ports.now()
        return {
            "status": StepStatus.RUNNING.value,
            "fence": step.fence + 1,
            "lease_expires_at": found.read_time + timedelta(seconds=self._ports.settings.run_lease_seconds),
            "attempt": step.attempt + (step.status is StepStatus.PENDING),
            "started_at": step.started_at or now,
            "updated_at": now,
            "budget": budget.model_dump(),
        }


def _begun(step: RunStep, attempt: int) -> EventDraft:
    return of_step(EventType.STEP_STARTED, step, StepStatus.RUNNING.value, attempt=attempt)


def _left(step: RunStep, now: datetime) -> float:
    """How long its worker is still taken to live."""
    return (step.lease_expires_at - now).total_seconds() if step.lease_expires_at is not None else 0.0


def _soonest(able: Sequence[RunStep], now: datetime) -> float:
    """When to look again: soon, but not before the first of those that wait for their time."""
    times = [(step.run_after - now).total_seconds() for step in able if step.run_after is not None]
    return max(LOOK_SECONDS, min(times)) if times and len(times) == len(able) else LOOK_SECONDS
