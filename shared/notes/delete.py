"""Deleting notes: into the trash, out of it again, and for good."""

from __future__ import annotations

import logging
from collections.abc import Callable

from shared.clock import Clock
from shared.contracts.notes import Note
from shared.contracts.trash import TRASH_KEPT, TrashedNote, TrashEntry
from shared.errors import MemexError
from shared.store.note_reading import read_note
from shared.store.system import SystemStore
from shared.store.workspace import WorkspaceStore

log = logging.getLogger(__name__)


def delete(store: WorkspaceStore, note_id: str, *, by: str) -> None:
    """Move the note to the trash; its operations stay. Raises NotFound."""
    store.trash.put_in(note_id, by)


def restore(store: WorkspaceStore, note_id: str, *, by: str) -> Note:
    """Have a deleted note back, with its id, its trace and its tags. One that is there is answered as it is.

    Research that was asked for before is not asked for again. Raises NotFound, Conflict.
    """
    store.trash.take_out(note_id, by)
    return store.notes.get(note_id)


def entry(kept: TrashedNote) -> TrashEntry:
    """A deleted note as it is listed."""
    reading = read_note(kept.id, kept.note, created_at=kept.created_at, updated_at=kept.created_at)
    return TrashEntry(
        id=kept.id,
        title=reading.name,
        kind=reading.note.kind.value,
        tags=reading.note.tags,
        deleted_at=kept.created_at,
        kept_until=kept.created_at + TRASH_KEPT,
    )


def purge_old(store: Callable[[str], WorkspaceStore], system: SystemStore, clock: Clock) -> int:
    """Take away for good what has been in the trash long enough: how many notes. Bounded; goes on the next time."""
    purged = 0
    for found in system.old_trash(clock.now() - TRASH_KEPT):
        try:
            store(found.workspace).trash.purge(found.id)
            purged += 1
        except MemexError as error:
            log.warning("note %s/%r could not be purged: %s", found.workspace, found.id, error.message)
    return purged
