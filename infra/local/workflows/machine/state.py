"""The whole state of an execution as data: threads, their frames, what they wait for. `pack` makes it JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from infra.local.workflows.values import Value, record


@record
@dataclass
class Scope:
    """Variables, and the bytes each takes."""

    values: dict[str, Value] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)


@record
@dataclass
class RoutineFrame:
    """A call of a routine; `purpose` says what its value is for: main, call, predicate or expression."""

    routine: str
    purpose: str
    scope: Scope


@record
@dataclass
class BlockFrame:
    """A position in a list of steps: the step at `at` is under way; `goto` is set when the next one is decided."""

    block: str
    at: int = -1
    goto: int | None = 0
    entry: int = 0


@record
@dataclass
class LoopFrame:
    """A for loop; `items` is None for a range, whose bounds are `first` and `last`."""

    block: str
    index: int
    items: list[Value] | None
    first: Value
    last: Value
    position: int = -1
    scope: Scope = field(default_factory=Scope)


@record
@dataclass
class AttemptFrame:
    """A try step: trying, deciding (its predicate runs), or backing off before the next try."""

    block: str
    index: int
    phase: str = "trying"
    retries: int = 0
    delay: float = 0.0
    error: Value = None
    trace: list[dict[str, Any]] = field(default_factory=list)


@record
@dataclass
class HandlerFrame:
    """The except block of a try step, with its own variables."""

    scope: Scope


@record
@dataclass
class BranchFrame:
    """The bottom of a thread of a parallel step: reads go on to the parent, writes only to shared variables."""

    name: str
    shared: list[str]
    scope: Scope


@record
@dataclass
class ParallelFrame:
    """A parallel step: how many branches or iterations there are, have started, still run, and failed."""

    block: str
    index: int
    total: int
    limit: int
    items: list[Value] | None
    first: int = 0
    started: int = 0
    running: list[int] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)


@record
@dataclass
class SleepWait:
    """Until a time (ISO 8601, UTC); before the next try when `retry`."""

    key: int
    until: str
    retry: bool = False


@record
@dataclass
class HttpWait:
    """For the answer to an HTTP request; after a restart the request is sent again."""

    key: int
    request: dict[str, Value]


@record
@dataclass
class CallbackWait:
    key: int
    callback: str
    until: str


@record
@dataclass
class JoinWait:
    """For the threads of a parallel step."""

    key: int


Frame: TypeAlias = RoutineFrame | BlockFrame | LoopFrame | AttemptFrame | HandlerFrame | BranchFrame | ParallelFrame
Wait: TypeAlias = SleepWait | HttpWait | CallbackWait | JoinWait


@record
@dataclass
class Thread:
    """A stack of frames, the innermost last."""

    number: int
    parent: int | None
    frames: list[Frame] = field(default_factory=list)
    wait: Wait | None = None
    value: Value = None


@record
@dataclass
class Callback:
    """A callback endpoint, with the requests that came before anyone awaited them."""

    name: str
    method: str
    received: list[Value] = field(default_factory=list)


@record
@dataclass
class Outcome:
    """How it ended: a value, or an error with its trace."""

    succeeded: bool
    value: Value
    trace: list[dict[str, Any]] = field(default_factory=list)


@record
@dataclass
class State:
    threads: list[Thread] = field(default_factory=list)
    callbacks: dict[str, Callback] = field(default_factory=dict)
    steps: int = 0
    last_key: int = 0
    last_thread: int = 0
    last_entry: int = 0
    outcome: Outcome | None = None

    def thread(self, number: int) -> Thread | None:
        return next((one for one in self.threads if one.number == number), None)

    def new_key(self) -> int:
        self.last_key += 1
        return self.last_key
