"""The one shape of an event outside the store."""

from __future__ import annotations

from typing import Any

from shared.contracts.events import Envelope, Event


def envelope(event: Event, stream: str) -> Envelope:
    """`stream` is the owner's path below the workspace, such as operations/op_1."""
    return Envelope(id=event.id, seq=event.seq, type=event.type, at=event.at, stream=stream, data=_ordered(event.data))


def _ordered(value: Any) -> Any:
    """Maps in the order of their keys: Firestore's have none, and every reading of an event shall be the same bytes."""
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value)}
    return [_ordered(item) for item in value] if isinstance(value, list) else value
