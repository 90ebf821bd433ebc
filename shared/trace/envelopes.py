"""The one shape of an event outside the store."""

from __future__ import annotations

from shared.contracts.events import Envelope, Event


def envelope(event: Event, stream: str) -> Envelope:
    """`stream` is the owner's path below the workspace, such as operations/op_1."""
    return Envelope(id=event.id, seq=event.seq, type=event.type, at=event.at, stream=stream, data=event.data)
