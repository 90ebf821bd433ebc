"""A webhook as it arrived, and the little of it that is used: which interaction to look at."""

from __future__ import annotations

import json
from dataclasses import dataclass

from shared.errors import InputError
from shared.printable import printable

_ID_CHARACTERS = 1_000
_PREFIX = "interaction."


@dataclass(frozen=True)
class Delivery:
    """One request: the headers of Standard Webhooks as they came, "" for one that is missing, and the raw body."""

    id: str
    timestamp: str
    signature: str
    body: bytes


def interaction_of(body: bytes) -> str | None:
    """The id of the interaction that an event is about; None for an event about something else.

    What happened to it, as the body says, is not read: the service is asked. Raises InputError.
    """
    try:
        event = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise InputError("The body is no JSON.") from error
    kind = event.get("type") if isinstance(event, dict) else None
    if not isinstance(kind, str):
        raise InputError("The body is no event: it has no type.")
    if not kind.startswith(_PREFIX):
        return None
    data = event.get("data")
    name = data.get("id") if isinstance(data, dict) else None
    if not isinstance(name, str) or not 0 < len(name) <= _ID_CHARACTERS or printable(name) != name:
        raise InputError("The event names no interaction.")
    return name
