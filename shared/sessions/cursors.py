"""Where a listing goes on: after which moment and which id."""

from __future__ import annotations

import base64
import json
from datetime import datetime, timezone

from shared.errors import InputError


def cursor_after(saved_at: datetime, session_id: str) -> str:
    key = json.dumps([saved_at.isoformat(), session_id], separators=(",", ":"))
    return base64.urlsafe_b64encode(key.encode()).decode().rstrip("=")


def parse_cursor(cursor: str) -> tuple[datetime, str]:
    """Raises InputError for what is none of ours."""
    try:
        padded = cursor.encode() + b"=" * (-len(cursor) % 4)
        moment, session_id = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        saved_at = datetime.fromisoformat(moment)
        if saved_at.tzinfo is None or not isinstance(session_id, str):
            raise ValueError("not a cursor")
        return saved_at.astimezone(timezone.utc), session_id
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise InputError("cursor: give the next_cursor of an earlier answer.", field="cursor") from error
