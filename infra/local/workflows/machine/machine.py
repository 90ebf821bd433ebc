"""The machine: an execution's program, state and world, and what can be read from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from infra.local.workflows.machine.state import (
    BlockFrame,
    RoutineFrame,
    State,
    Thread,
    Wait,
)
from infra.local.workflows.source.program import Action, Program, Step
from infra.local.workflows.values import Value


@dataclass(frozen=True)
class StepEvent:
    """A step that began (`ended` None) or ended, for the execution's history."""

    entry: int
    at: datetime
    routine: str = ""
    step: str = ""
    kind: str = ""
    ended: str | None = None


class World(Protocol):
    """What a machine may know of what is outside it."""

    def now(self) -> datetime:
        """The current time."""

    def new_id(self) -> str:
        """A fresh UUID in string form."""

    def log(self, severity: str, content: Value) -> None:
        """sys.log"""

    def callback_url(self, callback: str) -> str:
        """The address of a callback endpoint of this execution."""

    def count_step(self, internal: bool) -> None:
        """One billable step."""


@dataclass
class Machine:
    """One execution in memory: its program, its state and the world it runs in."""

    program: Program
    state: State
    world: World
    environment: Mapping[str, str]
    events: list[StepEvent] = field(default_factory=list)

    def waits(self) -> list[Wait]:
        """What the threads wait for."""
        return [thread.wait for thread in self.state.threads if thread.wait is not None]

    def step_of(self, frame: Any) -> Step:
        """The step that a frame belongs to."""
        position = frame.at if isinstance(frame, BlockFrame) else frame.index
        return self.program.blocks[frame.block][position]

    def action_of(self, frame: Any) -> Action:
        return self.step_of(frame).action

    def trace(self, thread: Thread) -> list[dict[str, Any]]:
        """The steps under way, innermost first, of this thread and those above it."""
        found: list[dict[str, Any]] = []
        current: Thread | None = thread
        while current is not None:
            found += _steps_under_way(self, current)
            current = self.state.thread(current.parent) if current.parent is not None else None
        return found

    def current_steps(self) -> list[dict[str, str]]:
        """The innermost step of every thread that is at work, as `status.currentSteps` has it."""
        parents = {thread.parent for thread in self.state.threads}
        leaves = [thread for thread in self.state.threads if thread.number not in parents]
        traces = [_steps_under_way(self, thread) for thread in leaves]
        return [{"routine": one[0]["routine"], "step": one[0]["step"]} for one in traces if one]


def _steps_under_way(machine: Machine, thread: Thread) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    innermost: dict[str, Any] | None = None
    for frame in reversed(thread.frames):
        if isinstance(frame, BlockFrame) and innermost is None and frame.at >= 0:
            step = machine.step_of(frame)
            innermost = {"step": step.name, "line": step.line, "routine": frame.block.split("/", 1)[0]}
            found.append(innermost)
        if isinstance(frame, RoutineFrame):
            innermost = None
    return found
