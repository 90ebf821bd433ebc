"""What the loop needs from outside, besides its seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from shared.clock import Clock, Spawn
from shared.errors import MemexError
from shared.llm.port import Message, Model, ToolSpec
from shared.loop.bounds import Bounds
from shared.tools.tool import Job


class Outcome(Protocol):
    """What came of a call: a JSON object for the model. With `malformed` the call was none and nothing was run."""

    @property
    def ok(self) -> bool: ...

    @property
    def result(self) -> Mapping[str, Any]: ...

    @property
    def seconds(self) -> float: ...

    @property
    def malformed(self) -> bool: ...


class ToolsPort(Protocol):
    def specs(self) -> Sequence[ToolSpec]: ...

    def call(self, job: Job, name: str, arguments: Mapping[str, Any]) -> Outcome:
        """Never raises; ends within the tool's time, or when the job is cut."""
        ...


@dataclass(frozen=True)
class Briefing:
    """What the model is told besides the work's own messages; `version` names the prompt."""

    system: str
    version: str
    past: tuple[tuple[Message, ...], ...] = ()
    """Exchanges of before, the oldest first: those go first when there is no room."""


@dataclass(frozen=True)
class Means:
    """What one kind of work is done with."""

    model: Callable[[], Model]
    """Raises a MemexError that says what to set where there is none."""
    tools: Callable[[], ToolsPort]
    clock: Clock
    spawn: Spawn
    retry_seconds: float
    """Between two tries to get an answer from the model; doubled each time."""
    bounds: Bounds
    waits: bool = False
    """While spending is paused the work is given back, to be carried on later; else it ends with that."""


def model_fact(model: Callable[[], Model]) -> tuple[tuple[str, Any], ...]:
    """Which model was asked, for the closing event; nothing where there is none."""
    try:
        return (("model", model().name),)
    except MemexError:
        return ()
