"""Newest-first lists in pages: an opaque cursor of (created_at, id)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from shared import cursors
from shared.store import paths
from shared.store.database import Filter, Query
from shared.store.note_reading import END_OF_TIME

NEWEST_FIRST = (("created_at", "DESCENDING"), ("__name__", "DESCENDING"))


def cursor_of(fields: Mapping[str, Any], document_id: str) -> str:
    """The cursor that goes on after this document."""
    return cursors.cursor_after(fields["created_at"], document_id)


def parse_cursor(cursor: str) -> tuple[datetime, str]:
    """The (created_at, id) of a cursor. Raises InputError for what is none of ours."""
    created_at, document_id = cursors.parse_cursor(cursor)
    if created_at >= END_OF_TIME or not paths.is_segment(document_id):
        raise cursors.not_ours()
    return created_at, document_id


def newest_first(filters: tuple[Filter, ...], limit: int, cursor: str | None) -> Query:
    """A query for a page. A document whose created_at is missing or no timestamp is not in any page."""
    return Query(
        limit=limit,
        # Values of other types would sort among the timestamps and break the cursor.
        filters=(*filters, ("created_at", "<", END_OF_TIME)),
        orders=NEWEST_FIRST,
        start_after=parse_cursor(cursor) if cursor is not None else None,
    )
