"""The end of a run: one commit of its status, its last frame, the note that answers, and the end of every open step."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.contracts.events import EventType
from shared.contracts.notes import Note
from shared.contracts.operations import Failure
from shared.contracts.runs import AgentRun, Budget, RunStatus, RunStep, StepStatus
from shared.errors import MemexError
from shared.runs.budgets import Totals, totals, used_by
from shared.runs.frames import of_run
from shared.runs.ports import Key, Ports
from shared.store import paths
from shared.store.notes import creating
from shared.store.runs import RunChange, missing
from shared.store.streams import Append, EventDraft
from shared.store.writes import Snapshot, Write, update
from shared.usage.spending import Amount

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Ending:
    """How a run ends. `data` goes into its last frame."""

    status: RunStatus
    stop_reason: str
    error: Failure | None = None
    note: Note | None = None
    data: tuple[tuple[str, Any], ...] = ()

    @property
    def note_id(self) -> str | None:
        return self.note.id if self.note else None

    @classmethod
    def failed(cls, code: str, message: str, note: Note | None = None) -> Ending:
        return cls(RunStatus.FAILED, "error", Failure(code=code, message=message), note)


@dataclass(frozen=True)
class Last:
    """What else the closing commit brings: frames before the last one, and the writes of steps that end as they say."""

    events: tuple[EventDraft, ...] = ()
    steps: tuple[RunStep, ...] = ()


def closing(run: AgentRun, steps: Sequence[RunStep], ending: Ending, now: datetime, last: Last | None = None) -> Append:
    """The closing commit of a run that has not ended; `steps` are all of its steps at this moment."""
    last = last or Last()
    ended = {step.id: step for step in last.steps}
    after = [ended.get(step.id, step) for step in steps]
    sums = totals(after)
    frame = of_run(EventType.RUN_COMPLETED, run, ending.status.value, terminal=True, **_told(run, ending, sums))
    writes = (*_ends(after, ended, ending.status, now), *_noted(ending.note))
    return Append(_change(run, ending, sums, now), (*last.events, frame), writes)


def _change(run: AgentRun, ending: Ending, sums: Totals, now: datetime) -> dict[str, Any]:
    """What the run's own document says from now on."""
    ledger = run.ledger.model_copy(update={"granted": Budget(), "used": used_by(sums.usage, sums.calls)})
    return {
        "status": ending.status.value,
        "stop_reason": ending.stop_reason,
        "error": ending.error.model_dump() if ending.error else None,
        "answer_note_id": ending.note_id,
        "finished_at": now,
        "updated_at": now,
        "active": False,
        "launch_expires_at": None,
        "ledger": ledger.model_dump(),
        "usage": sums.usage.model_dump(),
        "total_tokens_in": sums.tokens_in,
        "total_tokens_out": sums.tokens_out,
        "cost_usd": sums.usd,
        "tool_calls": sums.calls,
        "tell_pending": run.session_id is not None,
    }


def _told(run: AgentRun, ending: Ending, sums: Totals) -> dict[str, Any]:
    """The data of the last frame."""
    return {
        "stop_reason": ending.stop_reason,
        "usage": sums.usage.model_dump(exclude={"v"}),
        "cost_usd": sums.usd,
        "tool_calls": sums.calls,
        "answer_note_id": ending.note_id,
        **({"operation_id": run.operation_id} if run.operation_id else {}),
        **dict(ending.data),
        **({"error": {"code": ending.error.code, "message": ending.error.message}} if ending.error else {}),
    }


def end(
    ports: Ports, key: Key, ending: Ending, *, point: str, only: Callable[[AgentRun], bool] = lambda _run: True
) -> RunChange:
    """End a run that has not ended, where `only` says so of its state at this moment; else it stays as it is."""
    runs = ports.store(key.workspace).runs

    def decide(run: AgentRun | None, _found: Snapshot) -> Append | None:
        if run is None:
            raise missing(key.run_id)
        if run.status.terminal or not only(run):
            return None
        return closing(run, runs.steps(key.run_id), ending, ports.now())

    change = runs.append(key.run_id, decide, point=point)
    if change.changed:
        settle_spending(ports, key, change.run)
    return change


def settle_spending(ports: Ports, key: Key, run: AgentRun) -> None:
    """Say what the run has used. Never raises: its last frame is counted too, which comes to the same later."""
    if run.operation_id is not None:  # what it has used is counted with its operation
        return
    used = Amount(run.total_tokens_in + run.total_tokens_out, run.cost_usd)
    try:
        ports.spending.settle(key.workspace, key.run_id, used)
    except MemexError as error:
        log.warning("run %s: its spending is settled later: %s", key.run_id, error.message)


def step_write(step: RunStep, **fields: Any) -> Write:
    """The write of a step's document beside its run's: the run's precondition guards it."""
    return update(paths.run_step(step.run_id, step.id), fields)


def _ends(after: Sequence[RunStep], ended: dict[str, RunStep], status: RunStatus, now: datetime) -> tuple[Write, ...]:
    """A step that is under way is cut off by it: its worker's next commit finds that it has ended."""
    writes = []
    for step in after:
        if step.id in ended:
            kept = step.model_dump(include={"status", "summary", "stop_reason", "usage", "error"})
            writes.append(step_write(step, **kept, finished_at=now, updated_at=now))
        elif not step.status.terminal:
            cut_off = step.status is StepStatus.RUNNING or status is RunStatus.CANCELLED
            left = StepStatus.CANCELLED if cut_off else StepStatus.SKIPPED
            writes.append(step_write(step, status=left.value, finished_at=now, updated_at=now))
    return tuple(writes)


def _noted(note: Note | None) -> tuple[Write, ...]:
    return creating(note) if note is not None else ()
