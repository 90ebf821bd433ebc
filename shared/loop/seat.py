"""The seat: one worker's hold on a journalled piece of work, such as a turn of a chat. What the loop sees of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from shared.contracts.chat import ModelAnswer
from shared.contracts.events import Event
from shared.contracts.operations import Failure, Usage
from shared.gateway.transport import Cut
from shared.store.streams import EventDraft
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Write
from shared.tools.tool import Job


class Halted(Exception):
    """The worker was told to stop; what the work needs further, others do."""


class Progress(Protocol):
    """How far the work has come, as its last commit says."""

    @property
    def iteration(self) -> int:
        """How many answers of the model are stored."""
        ...

    @property
    def calls(self) -> int:
        """How many tool calls they asked for."""
        ...

    @property
    def usage(self) -> Usage: ...

    @property
    def started_at(self) -> datetime: ...


@dataclass(frozen=True)
class Place:
    """A call: the number of its answer, from 1, and its index among the calls of that answer."""

    iteration: int
    index: int


@dataclass(frozen=True)
class Writing:
    """The answer that is being written: its number (0 without one), its text so far, what it has used as yet told."""

    iteration: int = 0
    text: str = ""
    usage: Usage = Usage()


@dataclass(frozen=True)
class Ending:
    """How the work ends. `answer` is what the model said last; `facts` go into the closing event."""

    stop_reason: str
    answer: str = ""
    error: Failure | None = None
    passing: bool = False
    """The error may be gone when the work is tried again."""
    facts: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def failed(cls, code: str, message: str, *, passing: bool = False) -> Ending:
        return cls("error", error=Failure(code=code, message=message), passing=passing)


@dataclass(frozen=True)
class Entry:
    """What one commit of a worker does besides renewing the lease. With an `ending` it is the work's last."""

    progress: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the Progress to set."""
    events: tuple[EventDraft, ...] = ()
    also: tuple[Write, ...] = ()
    ending: Ending | None = None


class Seat(Protocol):
    """`cut` ends what blocks; `over` is set when the worker has let go of the work, however it went."""

    kind: str
    """What the work is called, such as "turn"."""
    cut: Cut
    over: threading.Event
    ended: bool
    writing: Writing
    renewed_at: datetime
    store: WorkspaceStore

    @property
    def id(self) -> str: ...

    @property
    def data(self) -> Mapping[str, Any]:
        """What each event of the work carries; an event of the stream that carries it is of this work."""
        ...

    @property
    def stream(self) -> str:
        """The stream that its events go to."""
        ...

    @property
    def first_seq(self) -> int:
        """The number of the last event before the loop's first."""
        ...

    @property
    def progress(self) -> Progress: ...

    @property
    def lease_seconds(self) -> float: ...

    def check(self) -> None:
        """Raises Halted once the worker shall stop."""
        ...

    def commit(self, make: Callable[[Progress], Entry], *, point: str) -> tuple[Event, ...]:
        """One commit of what `make` answers to the progress of this moment; returns its events as stored.

        Raises Halted when the worker shall stop or the work is another's, Transient when nothing got through.
        """
        ...

    def owned(self) -> bool:
        """Whether the store says, at this moment, that this worker has the work. Raises Transient."""
        ...

    def renew(self) -> None:
        """Say that the worker lives; called beside it. Raises as `commit` does."""
        ...

    def give_back(self) -> None:
        """Let another carry the work on at once. Raises MemexError."""
        ...

    def asked(self) -> str:
        """The text that the work began with, as stored."""
        ...

    def answers(self) -> Sequence[ModelAnswer]:
        """The stored answers, in order."""
        ...

    def storing(self, answer: ModelAnswer) -> Write:
        """The write that stores one more."""
        ...

    def say(self, iteration: int, text: str) -> None:
        """A piece of the answer of that number, as it is written; it is not stored."""
        ...

    def save_draft(self, iteration: int, text: str) -> None:
        """Keep what is written so far for whoever looks from elsewhere. Raises Transient."""
        ...

    def job(self, place: Place, cut: Cut) -> Job:
        """The job of the call at that place, whose effect is keyed by the work and the place."""
        ...
