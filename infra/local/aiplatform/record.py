"""One stored interaction and how it looks to its caller at a given time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from infra.local.aiplatform.plan import TERMINAL, Plan
from infra.local.aiplatform.prompt import user_steps
from infra.local.aiplatform.usage import usage_of

_ECHOED = ("previous_interaction_id", "labels", "service_tier", "webhook_config", "agent_config", "tools")


@dataclass(frozen=True)
class Record:
    """`body` is the create request; `cancelled_at` is in seconds of the plan; `opened` is when its gate was."""

    id: str
    created: datetime
    body: Mapping[str, Any]
    plan: Plan
    cancelled_at: float | None = None
    opened: datetime | None = None

    @property
    def maker(self) -> dict[str, str]:
        """{"agent": …} or {"model": …}, as the request said."""
        kind = "agent" if "agent" in self.body else "model"
        return {kind: str(self.body[kind])}

    def elapsed(self, now: datetime) -> float:
        """How many seconds of its plan have passed; those before a shut gate do not count."""
        age = (now - self.created).total_seconds()
        if self.plan.hold is None or age <= self.plan.hold[0]:
            return age
        held = self.plan.hold[0]
        if self.opened is None:
            return held
        waited = max(0.0, (self.opened - self.created).total_seconds() - held)
        return max(held, age - waited)

    @property
    def shut(self) -> bool:
        """Whether there is a gate ahead that is not open."""
        return self.plan.hold is not None and self.opened is None

    def status(self, elapsed: float) -> str:
        if self.cancelled_at is not None and elapsed >= self.cancelled_at:
            return "cancelled"
        return self.plan.status_at(elapsed)

    def running(self, elapsed: float) -> bool:
        return self.status(elapsed) not in TERMINAL

    def steps(self, elapsed: float) -> list[Mapping[str, Any]]:
        """The output steps made so far; nothing is made after a cancel or after the end."""
        reach = elapsed if self.cancelled_at is None else min(elapsed, self.cancelled_at)
        return self.plan.steps_at(reach)

    def usage(self, elapsed: float) -> dict[str, Any]:
        return usage_of(self.body.get("input"), self.steps(elapsed))

    def resource(self, elapsed: float, *, with_steps: bool = True, with_input: bool = False) -> dict[str, Any]:
        """The Interaction as the API answers it; `with_input` puts the user's steps before the output's."""
        status = self.status(elapsed)
        answer: dict[str, Any] = {"id": self.id, "object": "interaction", "status": status, **self.maker}
        answer["created"], answer["updated"] = _stamp(self.created), _stamp(self._updated(elapsed))
        answer |= {name: self.body[name] for name in _ECHOED if name in self.body}
        steps = [*(user_steps(self.body.get("input")) if with_input else ()), *self.steps(elapsed)]
        if with_steps and steps:
            answer["steps"] = steps
        if status in TERMINAL:
            answer["usage"] = self.usage(elapsed)
        if status == "failed":
            answer["errors"] = [dict(error) for error in self.plan.errors]
        return answer

    def cancelled(self, elapsed: float) -> Record:
        return replace(self, cancelled_at=elapsed)

    def _updated(self, elapsed: float) -> datetime:
        """The last moment at which a reader could see something new."""
        if self.cancelled_at is not None and elapsed >= self.cancelled_at:
            return self.created + timedelta(seconds=self.cancelled_at)
        moments = [timed.at for timed in self.plan.statuses] + [timed.end for timed in self.plan.steps]
        last = max((moment for moment in moments if moment <= elapsed), default=0.0)
        return self.created + timedelta(seconds=last)


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
