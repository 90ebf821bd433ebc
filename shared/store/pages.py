"""Newest-first lists in pages: an opaque cursor of (created_at, id)."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from shared.errors import InputError
from shared.store import paths
from shared.store.database import Filter, Query
from shared.store.note_reading import END_OF_TIME

NEWEST_FIRST = (("created_at", "DESCENDING"), ("__name__", "DESCENDING"))


def cursor_of(fields: Mapping[str, Any], document_id: str) -> str:
    """The cursor that goes on after this document."""
    key = json.dumps([fields["created_at"].isoformat(), document_id], separators=(",", ":"))
    return base64.urlsafe_b64encode(key.encode()).decode().rstrip("=")


def parse_cursor(cursor: str) -> tuple[datetime, str]:
    """The (created_at, id) of a cursor. Raises InputError for what is none of ours."""
    try:
        padded = cursor.encode() + b"=" * (-len(cursor) % 4)
        moment, document_id = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        created_at = datetime.fromisoformat(moment)
        if created_at.tzinfo is None or created_at >= END_OF_TIME or not isinstance(document_id, str):
            raise ValueError("not a cursor")
        return created_at.astimezone(timezone.utc), paths.segment(document_id)
    except (ValueError, TypeError, OverflowError, RecursionError, InputError) as error:
        raise InputError("cursor: give the next_cursor of an earlier answer.", field="cursor") from error


def newest_first(filters: tuple[Filter, ...], limit: int, cursor: str | None) -> Query:
    """A query for a page. A document whose created_at is missing or no timestamp is not in any page."""
    return Query(
        limit=limit,
        # Values of other types would sort among the timestamps and break the cursor.
        filters=(*filters, ("created_at", "<", END_OF_TIME)),
        orders=NEWEST_FIRST,
        start_after=parse_cursor(cursor) if cursor is not None else None,
    )
