"""A step in the hands of one worker: every commit checks that it still is, and renews the lease."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from shared.contracts.chat import ModelAnswer
from shared.contracts.events import Event, EventType
from shared.contracts.limits import STEP_SUMMARY_BYTES
from shared.contracts.operations import Usage
from shared.contracts.runs import RunStep, StepOutcome, StepStatus
from shared.errors import Conflict, NotFound
from shared.gateway.transport import Cut
from shared.ids import derived
from shared.loop.seat import Ending, Entry, Halted, Place, Progress, Writing
from shared.runs.citing import SourceTable
from shared.runs.ports import Key, Ports
from shared.store import paths
from shared.store.event_size import cut_text
from shared.store.runs import StepChange
from shared.store.streams import Append
from shared.store.writes import Snapshot, Write, create
from shared.tools.tool import Job

REQUEST_OVER = "request_over"
"""Why a worker stops when the time of the request that it works in is over."""


class StepLost(Conflict):
    """The step has ended, or another worker has it: this one stops, and writes nothing more."""


@dataclass(frozen=True)
class Come:
    """How far a step has come."""

    iteration: int
    calls: int
    usage: Usage
    started_at: datetime


class StepSeat:
    """One worker's hold on a step, its seat for the loop; `step` is as its last commit left it.

    When the time of the request that works on it is over, at `until`, the worker stops and gives the step back. `given`
    is there when what it was told comes from the web: then only such addresses may be read.
    """

    kind = "step"

    def __init__(
        self,
        ports: Ports,
        key: Key,
        step: RunStep,
        *,
        asked: str = "",
        until: datetime | None = None,
        given: Callable[[str], bool] | None = None,
    ) -> None:
        self.key, self.step, self.table = key, step, SourceTable(step.index, step.sources)
        self.cut = Cut()
        self.ended = step.outcome is not None
        self.over = threading.Event()
        self.writing = Writing()
        self.renewed_at = ports.now()
        self._ports, self._asked, self._until, self._fence = ports, asked, until, step.fence
        self._given = given
        self.store = ports.store(key.workspace)

    @property
    def id(self) -> str:
        return self.step.id

    @property
    def data(self) -> Mapping[str, Any]:
        return {"run_id": self.key.run_id, "step_id": self.step.id}

    @property
    def stream(self) -> str:
        return paths.run_step(self.key.run_id, self.step.id)

    @property
    def first_seq(self) -> int:
        return 0

    @property
    def progress(self) -> Progress:
        return _come(self.step)

    @property
    def lease_seconds(self) -> float:
        return self._ports.settings.run_lease_seconds

    def check(self) -> None:
        if self.cut.reason:
            raise Halted(self.cut.reason)

    def commit(self, make: Callable[[Progress], Entry], *, point: str) -> tuple[Event, ...]:
        change = self._committed(make, f"step.{point}")
        self.step = change.step
        self.ended = change.step.outcome is not None
        return change.events

    def renew(self) -> None:
        """Called beside the worker, so `step` and `ended` stay as the worker's own commits left them."""
        self._committed(lambda _progress: Entry(), "step.renew")

    def give_back(self) -> None:
        """Raises NotFound, StepLost, Transient."""

        def decide(step: RunStep, found: Snapshot) -> Append | None:
            self._mine(step)
            return Append({"lease_expires_at": found.read_time})

        self.store.runs.append_step(self.key.run_id, self.step.id, decide, point="step.give_back")

    def owned(self) -> bool:
        """Looked at twice a second: the end of the request's time is noticed here too."""
        if self._until is not None and self._ports.now() >= self._until:
            self.cut.cut(REQUEST_OVER)
            return True
        step = self.store.runs.find_step(self.key.run_id, self.step.id)
        return step is not None and self.holds(step)

    def asked(self) -> str:
        return self._asked

    def answers(self) -> Sequence[ModelAnswer]:
        return self.store.runs.answers(self.key.run_id, self.step.id)

    def storing(self, answer: ModelAnswer) -> Write:
        return create(paths.step_answer(self.key.run_id, self.step.id, answer.n), answer.model_dump())

    def say(self, iteration: int, text: str) -> None:
        """A step thinks aloud to nobody: what it has found is told when it is done."""

    def save_draft(self, iteration: int, text: str) -> None:
        """Nor is it kept before."""

    def job(self, place: Place, cut: Cut) -> Job:
        where = (self.key.run_id, self.step.id, str(place.iteration), str(place.index))
        job = Job(
            store=self.store,
            services=self._ports.services(self.key.workspace),
            clock=self._ports.clock,
            actor=paths.run(self.key.run_id),
            effect_key=derived("effect", *where),
            cut=cut,
        )
        return job if self._given is None else replace(job, web_read=True, is_given=self._given)

    def holds(self, step: RunStep) -> bool:
        """Whether the step, as read now, says that this worker has it."""
        return step.status is StepStatus.RUNNING and step.fence == self._fence

    def _mine(self, step: RunStep) -> RunStep:
        if not self.holds(step) or step.outcome is not None:
            raise StepLost("The step has ended, or another worker has it.")
        return step

    def _committed(self, make: Callable[[Progress], Entry], point: str) -> StepChange:
        self.check()

        def decide(step: RunStep, found: Snapshot) -> Append | None:
            return self._append(make(_come(self._mine(step))), found)

        begun = self._ports.now()
        try:
            change = self.store.runs.append_step(self.key.run_id, self.step.id, decide, point=point)
        except (StepLost, NotFound) as error:
            self.cut.cut("lost")
            raise Halted("lost") from error
        self.renewed_at = max(begun, self.renewed_at)
        return change

    def _append(self, entry: Entry, found: Snapshot) -> Append:
        update: dict[str, Any] = {"lease_expires_at": found.read_time + timedelta(seconds=self.lease_seconds)}
        for name, value in entry.progress.items():
            update[name] = value.model_dump() if isinstance(value, Usage) else value
        if any(event.type == EventType.TOOL_RESULT for event in entry.events):
            update["sources"] = [one.model_dump() for one in self.table.all()]
        if entry.ending is not None:
            update["outcome"] = _outcome(entry.ending).model_dump()
        if entry.events:
            update["updated_at"] = self._ports.now()
        return Append(update, entry.events, entry.also)


def _come(step: RunStep) -> Come:
    return Come(step.iteration, step.calls, step.usage, step.started_at or step.created_at)


def _outcome(ending: Ending) -> StepOutcome:
    return StepOutcome(
        stop_reason=ending.stop_reason,
        answer=cut_text(ending.answer, STEP_SUMMARY_BYTES),
        error=ending.error,
        passing=ending.passing,
    )
