"""Starting the execution that drives a piece of work, of whatever kind.

The lease in the work's record lets one caller at a time do it: executions.create has no idempotency key. A second
execution that comes to be all the same finds the work claimed, and ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar

from shared.clock import Clock
from shared.errors import MemexError, Transient
from shared.faultpoint import faultpoint
from shared.operations.executions import ExecutionsPort, same_execution

LAUNCHES = 8
"""Executions started for one piece of work; each but the first was found dead by the sweep."""
EXHAUSTED = f"{LAUNCHES} executions were started and none ended this. Look at the workflow's executions."
_LOOKS = 4
_LOOK_SECONDS = 1.0
_AGAIN_SECONDS = 5.0

Found = TypeVar("Found")


class LaunchHeld(Transient):
    """Another caller is starting an execution at this moment."""


class _Status(Protocol):
    @property
    def terminal(self) -> bool: ...


class Driven(Protocol):
    """The record of a piece of work that an execution drives."""

    @property
    def status(self) -> _Status: ...

    @property
    def execution(self) -> str | None: ...

    @property
    def launch_expires_at(self) -> datetime | None: ...


class Launchable(Protocol):
    """A piece of work as its launch sees it; each method is one commit in the work's record, or none."""

    @property
    def workflow(self) -> str: ...

    @property
    def argument(self) -> Mapping[str, Any]: ...

    def leased(self, dead: str | None) -> datetime | None:
        """Take the lease, by `lease` below: its end, None where there is nothing to start. Raises LaunchHeld."""
        ...

    def launched(self, name: str) -> None:
        """An execution was started."""
        ...

    def postponed(self, until: datetime, error: Transient) -> None:
        """It could not be started now: give the lease that ends at `until` back, by `returned` below."""
        ...

    def impossible(self, error: MemexError) -> None:
        """No execution can be started as things are set up: end the work, or raise."""
        ...


def ensure(executions: ExecutionsPort, work: Launchable, *, dead: str | None = None) -> str | None:
    """Start an execution unless the work has one, or has ended; its name, None when none was started.

    `dead` names one that is known to have ended without ending the work: it counts as none. Raises LaunchHeld, and
    Transient when the start failed and may succeed later.
    """
    until = work.leased(dead)
    return start(executions, work, until) if until is not None else None


def start(executions: ExecutionsPort, work: Launchable, until: datetime) -> str | None:
    """Start an execution under the lease that the caller holds. Raises Transient."""
    faultpoint("before_call:executions.create")
    try:
        name = executions.start(work.workflow, work.argument)
    except Transient as error:
        work.postponed(until, error)
        raise
    except MemexError as error:
        message = f"{error.message} Deploy the workflow {work.workflow} and let this function's account start it."
        work.impossible(type(error)(message))
        return None
    faultpoint("after_call:executions.create")
    work.launched(name)
    return name


def with_patience(clock: Clock, attempt: Callable[[], Found]) -> Found:
    """What `attempt` answers, after a short patience with another caller who holds the lease: mostly he is just done.

    For what hears of new work: whoever made it is starting it at that moment. Raises as `attempt` does at last.
    """
    for _ in range(_LOOKS):
        try:
            return attempt()
        except LaunchHeld:
            clock.sleep(_LOOK_SECONDS)
    return attempt()


def is_leased(work: Driven, now: datetime) -> bool:
    """Whether someone is starting an execution at that moment of the server."""
    return work.launch_expires_at is not None and work.launch_expires_at > now


def lease(work: Driven, now: datetime, *, seconds: float, dead: str | None = None) -> dict[str, Any] | None:
    """The fields of the record that take the lease; None where there is nothing to start. Raises LaunchHeld.

    `now` is the server's read time of the record.
    """
    execution = None if same_execution(work.execution, dead) else work.execution
    if work.status.terminal or execution is not None:
        return None
    if is_leased(work, now):
        raise LaunchHeld("Another caller is starting an execution for this.", retry_after_seconds=_AGAIN_SECONDS)
    return {"execution": None, "launch_expires_at": now + timedelta(seconds=seconds)}


def returned(work: Driven | None, until: datetime) -> dict[str, Any] | None:
    """The fields that give the lease back; None where it is another's by now, or is needed no more."""
    if work is None or work.status.terminal or work.execution is not None or work.launch_expires_at != until:
        return None
    return {"launch_expires_at": None}
