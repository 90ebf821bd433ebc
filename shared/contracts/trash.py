"""The trash: notes that were deleted, kept for a while with all that hangs below them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from pydantic import Field

from shared.contracts.base import Model, Stored, UtcDatetime

TRASH_KEPT = timedelta(days=30)
"""How long a deleted note can be had back."""
TRASH_LEFT = timedelta(days=7)
"""How much later Firestore's own policy takes what no sweep has."""


class TrashedNote(Stored):
    """workspaces/{workspace}/trash/{note}: the document of a deleted note; parts and events stay where they are."""

    id: str
    by: str
    """Who deleted it."""
    created_at: UtcDatetime
    """When it was deleted."""
    expire_at: UtcDatetime
    note: dict[str, Any] = Field(default_factory=dict)
    """The fields of the note's document as they were."""
    purging: bool = False
    """Whether it is being taken away for good; what broke off of that, the sweep finishes."""


class TrashEntry(Model):
    """A deleted note as it is listed."""

    id: str
    title: str
    kind: str
    tags: tuple[str, ...]
    deleted_at: UtcDatetime
    kept_until: UtcDatetime


class TrashAnswer(Model):
    """What was deleted last comes first."""

    notes: tuple[TrashEntry, ...]
    next_cursor: str | None = None
