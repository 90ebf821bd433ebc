"""A step that has ended is taken into the run's account: done, failed, or to be begun once more."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from shared.contracts.events import EventType
from shared.contracts.operations import Failure
from shared.contracts.runs import AgentRun, RunStep, StepOutcome, StepStatus
from shared.runs import budgets
from shared.runs.ending import step_write
from shared.runs.frames import of_step
from shared.runs.ports import Key, Ports
from shared.runs.queueing import Queue
from shared.store.streams import Append, EventDraft
from shared.store.writes import Snapshot

ATTEMPTS = 3
"""A step that failed in passing is begun again twice."""


class Settling:
    def __init__(self, ports: Ports, queue: Queue) -> None:
        self._ports, self._queue = ports, queue

    def settle(self, key: Key, ended: RunStep) -> None:
        """Book the outcome of a step, once, whoever of its workers comes first. Raises Transient."""
        runs = self._ports.store(key.workspace).runs

        def decide(run: AgentRun | None, found: Snapshot) -> Append | None:
            step = runs.find_step(key.run_id, ended.id)
            if run is None or run.status.terminal or step is None:
                return None
            if step.status is not StepStatus.RUNNING or step.outcome is None or step.fence != ended.fence:
                return None
            return self._append(run, step, step.outcome)

        with self._queue.turn(key):
            runs.append(key.run_id, decide, point="run.settle_step")

    def _append(self, run: AgentRun, step: RunStep, outcome: StepOutcome) -> Append:
        now = self._ports.now()
        error = outcome.error
        if error is not None and outcome.passing and step.attempt < ATTEMPTS and budgets.reached(run, now) is None:
            wait = timedelta(seconds=self._ports.settings.run_retry_seconds * 2 ** (step.attempt - 1))
            again = {
                "status": StepStatus.PENDING.value,
                "outcome": None,
                "lease_expires_at": None,
                "error": error.model_dump(),
            }
            write = step_write(step, **again, run_after=now + wait, updated_at=now)
            return Append({"updated_at": now}, (_failed(step, error, StepStatus.PENDING),), (write,))
        status = StepStatus.SUCCEEDED if error is None else StepStatus.FAILED
        ended: dict[str, Any] = {
            "status": status.value,
            "stop_reason": outcome.stop_reason,
            "summary": outcome.answer,
            "error": error.model_dump() if error is not None else None,
            "lease_expires_at": None,
            "finished_at": now,
            "updated_at": now,
        }
        frame = _failed(step, error, status) if error is not None else _completed(step, outcome)
        ledger = budgets.settled(run.ledger, step).model_dump()
        return Append({"ledger": ledger, "updated_at": now}, (frame,), (step_write(step, **ended),))


def _completed(step: RunStep, outcome: StepOutcome) -> EventDraft:
    return of_step(
        EventType.STEP_COMPLETED,
        step,
        StepStatus.SUCCEEDED.value,
        stop_reason=outcome.stop_reason,
        summary=outcome.answer,
        sources=len(step.sources),
        calls=step.calls,
        usage=step.usage.model_dump(exclude={"v"}),
    )


def _failed(step: RunStep, error: Failure, status: StepStatus) -> EventDraft:
    return of_step(
        EventType.STEP_FAILED,
        step,
        status.value,
        code=error.code,
        message=error.message,
        again=status is StepStatus.PENDING,
        attempt=step.attempt,
    )
