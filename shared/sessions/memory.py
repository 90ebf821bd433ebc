"""Sessions in the memory of this process: for tests, and for trying things out."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from shared.contracts.sessions import CheckpointEntry, Retention, SessionStoreKind
from shared.cursors import cursor_after, parse_cursor
from shared.sessions.port import Decide, Page, Sealed, Stored


@dataclass
class MemoryShelf:
    """A dict and a lock."""

    kind: SessionStoreKind = SessionStoreKind.MEMORY
    where: str = "the memory of this process"
    about: str = "Everything is lost when the process ends, and no other process sees it."
    max_bytes: int = 8_000_000

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, Sealed] = {}

    def read(self, session_id: str) -> Stored | None:
        with self._lock:
            kept = self._kept.get(session_id)
        return None if kept is None else Stored(kept.text, kept.head.owner)

    def write(self, sealed: Sealed, decide: Decide) -> None:
        with self._lock:
            kept = self._kept.get(sealed.session_id)
            if decide(None if kept is None else kept.head):
                self._kept[sealed.session_id] = sealed

    def remove(self, session_id: str) -> bool:
        with self._lock:
            return self._kept.pop(session_id, None) is not None

    def page(self, owner: str | None, limit: int, cursor: str | None) -> Page:
        after = parse_cursor(cursor) if cursor is not None else None
        with self._lock:
            mine = [one for one in self._kept.values() if one.head.owner == owner]
        keyed = sorted(((one.envelope.saved_at, one.session_id) for one in mine), reverse=True)
        found = [key for key in keyed if after is None or key < after][: limit + 1]
        by_id = {one.session_id: one.envelope for one in mine}
        entries = tuple(
            CheckpointEntry(session_id=name, owner=owner, version=by_id[name].version, saved_at=moment)
            for moment, name in found[:limit]
        )
        return Page(entries, cursor_after(*found[limit - 1]) if len(found) > limit else None)

    def retention(self) -> Retention:
        how = "Nothing to switch on: choose another store with SESSIONS to keep conversations."
        return Retention(who="The end of the process", active=True, how=how)

    def close(self) -> None:
        with self._lock:
            self._kept.clear()
