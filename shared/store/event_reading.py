"""Event documents as events: a hand-written one may hold anything, and must not end what reads the stream."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from shared.contracts.events import Event
from shared.errors import InputError
from shared.store import paths
from shared.store.event_size import fitted
from shared.store.writes import Snapshot


def read_event(fields: Mapping[str, Any]) -> Event:
    """The event, its data as the store itself would have kept them. Raises InputError for what is none."""
    try:
        event = Event.model_validate(fields)
    except ValidationError as error:
        raise InputError(f"the event is malformed in {error.error_count()} places") from error
    if not 0 < event.seq < 10**paths.EVENT_DIGITS:
        raise InputError("the event's seq is out of range", field="seq")
    return event.model_copy(update={"data": fitted(event.data)})


def event_of(found: Snapshot) -> Event | None:
    """The event of a document, None when it is malformed."""
    try:
        return read_event(found.fields or {})
    except InputError:
        return None
