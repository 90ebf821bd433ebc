"""Why an append is refused: to be called by whoever decides; each raises a Conflict of its own kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.contracts.operations import OperationStatus
from shared.errors import Conflict

TERMINAL = frozenset(status.value for status in OperationStatus if status.terminal)


class StreamEnded(Conflict):
    """The owner is completed, failed or cancelled: that is never left, and nothing comes after the terminal event."""


class Cancelled(StreamEnded):
    """The owner was cancelled: whoever works on it stops."""


class FenceLost(Conflict):
    """Someone else has taken the work over: this writer's number is too low."""


def running(fields: Mapping[str, Any]) -> None:
    """Raises Cancelled after a cancel, StreamEnded after any other end."""
    status = fields.get("status")
    if status == "cancelled":
        raise Cancelled("This was cancelled; nothing can be added.", reason="cancelled")
    if status in TERMINAL:
        raise StreamEnded(f"This has ended ({status}); nothing can be added.", reason="terminal")


def fenced(fields: Mapping[str, Any], fence: int) -> None:
    """Raises FenceLost unless `fence` is the number that holds now."""
    held = fields.get("fence", 0)
    if fence != held:
        raise FenceLost(f"Another execution has taken over: its fence is {held}.", reason="fence", held=held)


def ended(parent: str, fields: Mapping[str, Any]) -> bool:
    """Whether the owner's stream has its terminal event. A note's never ends, whatever a client wrote into the note."""
    return fields.get("stream_ended") is True and not parent.startswith("notes/")


def open_stream(parent: str, fields: Mapping[str, Any]) -> None:
    """Raises StreamEnded when the terminal event has been written. The writer itself asks this of every event."""
    if ended(parent, fields):
        raise StreamEnded("The stream has its terminal event; nothing can be added.", reason="terminal")
