"""What a run will do and when: fixed at its creation, so that its progress is a function of the time alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

TERMINAL = frozenset({"completed", "failed", "cancelled", "incomplete", "budget_exceeded"})
# A stream also ends where the run waits for its caller.
CLOSING = TERMINAL | {"requires_action", "requires_continuation"}

Step = Mapping[str, Any]


@dataclass(frozen=True)
class TimedStep:
    """A step and the seconds, since the run was created, between which it is made."""

    start: float
    end: float
    step: Step


@dataclass(frozen=True)
class TimedStatus:
    at: float
    status: str


@dataclass(frozen=True)
class Plan:
    """Statuses and output steps of a run; `raw_frames` are (index of a frame, text sent before it in the stream)."""

    statuses: tuple[TimedStatus, ...]
    steps: tuple[TimedStep, ...] = ()
    errors: tuple[Mapping[str, str], ...] = ()
    raw_frames: tuple[tuple[int, str], ...] = ()
    stream_seconds: float = 600.0
    hold: tuple[float, str] | None = None
    """The second at which the run stands still until the gate of that name is opened."""

    def status_at(self, elapsed: float) -> str:
        """The status after that many seconds."""
        reached = [timed.status for timed in self.statuses if timed.at <= elapsed]
        return reached[-1] if reached else "in_progress"

    def steps_at(self, elapsed: float) -> list[Step]:
        """The output steps that are whole after that many seconds."""
        return [timed.step for timed in self.steps if timed.end <= elapsed]

    @property
    def end(self) -> float | None:
        """When the run closes, None when it never does."""
        return next((timed.at for timed in self.statuses if timed.status in CLOSING), None)

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Plan:
        data = json.loads(text)
        return cls(
            statuses=tuple(TimedStatus(**timed) for timed in data["statuses"]),
            steps=tuple(TimedStep(**timed) for timed in data["steps"]),
            errors=tuple(data["errors"]),
            raw_frames=tuple((index, raw) for index, raw in data["raw_frames"]),
            stream_seconds=data["stream_seconds"],
            hold=tuple(data["hold"]) if data.get("hold") else None,
        )


def spread(steps: Sequence[Step], begin: float, seconds: float) -> tuple[TimedStep, ...]:
    """The steps one after the other, evenly over `seconds` after `begin`; the last one ends just at the end."""
    share = seconds / len(steps) if steps else 0.0
    return tuple(
        TimedStep(round(begin + index * share, 6), round(begin + (index + 1) * share, 6), step)
        for index, step in enumerate(steps)
    )
