"""Deleting a note with all that hangs below it; its operations stay."""

from __future__ import annotations

from shared.errors import NotFound
from shared.store.workspace import WorkspaceStore


def delete(store: WorkspaceStore, note_id: str) -> None:
    """Take the note away, the document itself last, so that a deletion that broke off can be repeated.

    Raises NotFound.
    """
    if store.notes.find(note_id) is None:
        raise NotFound(f"There is no note {note_id}.")
    store.notes.delete(note_id, point="note.delete")
