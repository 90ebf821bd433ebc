"""Where a listing by time goes on: after which moment and which id, as opaque text."""

from __future__ import annotations

import base64
import json
from datetime import datetime, timezone

from shared.errors import InputError


def cursor_after(moment: datetime, name: str) -> str:
    """The cursor that goes on after the entry of that moment and id."""
    key = json.dumps([moment.isoformat(), name], separators=(",", ":"))
    return base64.urlsafe_b64encode(key.encode()).decode().rstrip("=")


def parse_cursor(cursor: str) -> tuple[datetime, str]:
    """The moment (UTC) and the id of a cursor. Raises InputError for what is none of ours."""
    try:
        padded = cursor.encode() + b"=" * (-len(cursor) % 4)
        written, name = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        moment = datetime.fromisoformat(written)
        if moment.tzinfo is None or not isinstance(name, str):
            raise ValueError("not a cursor")
        return moment.astimezone(timezone.utc), name
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise not_ours() from error


def not_ours() -> InputError:
    return InputError("cursor: give the next_cursor of an earlier answer.", field="cursor")
