"""Where a listing goes on, as opaque text: the key of the last entry, such as its moment and its id."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

from shared.errors import InputError


def cursor_of(key: Sequence[Any]) -> str:
    """The cursor of a key, which is JSON."""
    text = json.dumps(key, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def key_in(cursor: str) -> list[Any]:
    """The key of a cursor, of whatever types. Raises InputError for what is no cursor."""
    try:
        padded = cursor.encode() + b"=" * (-len(cursor) % 4)
        key = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, RecursionError) as error:
        raise not_ours() from error
    if not isinstance(key, list):
        raise not_ours()
    return key


def cursor_after(moment: datetime, name: str) -> str:
    """The cursor that goes on after the entry of that moment and id."""
    return cursor_of([moment.isoformat(), name])


def parse_cursor(cursor: str) -> tuple[datetime, str]:
    """The moment (UTC) and the id of a cursor. Raises InputError for what is none of ours."""
    key = key_in(cursor)
    try:
        written, name = key
        moment = datetime.fromisoformat(written)
        if moment.tzinfo is None or not isinstance(name, str):
            raise ValueError("not a cursor")
        return moment.astimezone(timezone.utc), name
    except (ValueError, TypeError, OverflowError) as error:
        raise not_ours() from error


def not_ours() -> InputError:
    return InputError("cursor: give the next_cursor of an earlier answer.", field="cursor")
