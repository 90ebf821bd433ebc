"""Sessions in Firestore, beside everything else of their workspace: what a fleet shares."""

from __future__ import annotations

import json

from shared.contracts.sessions import CheckpointEntry, Retention, SessionStoreKind
from shared.cursors import cursor_after, parse_cursor
from shared.sessions.envelope import canonical
from shared.sessions.errors import UnknownFormat
from shared.sessions.port import KEPT_FOR_GOOD, Decide, Head, Page, Sealed, Stored
from shared.store.checkpoints import Checkpoint
from shared.store.workspace import WorkspaceStore


class FirestoreShelf:
    """One document a session, the large part in parts below it."""

    kind = SessionStoreKind.FIRESTORE
    about = "Every instance sees every conversation of its workspace."
    max_bytes = 8_000_000
    """What fits one commit (10 MiB)."""

    def __init__(self, store: WorkspaceStore) -> None:
        self._workspace, self._checkpoints = store.workspace, store.checkpoints

    @property
    def where(self) -> str:
        return f"workspaces/{self._workspace}/checkpoints"

    def read(self, session_id: str) -> Stored | None:
        found = self._checkpoints.find(session_id)
        if found is None:
            return None
        members = ",".join(f"{json.dumps(key)}:{text}" for key, text in found.values.items())
        head = canonical(
            {
                "format": found.format,
                "owner": found.owner or None,
                "version": found.version,
                "saved_at": found.saved_at.isoformat(),
            }
        )
        return Stored(f'{{"data":{{{members}}},{head[1:]}', found.owner or None)

    def write(self, sealed: Sealed, decide: Decide) -> None:
        envelope = sealed.envelope
        checkpoint = Checkpoint(
            session_id=sealed.session_id,
            format=envelope.format,
            owner=envelope.owner or "",
            version=envelope.version,
            saved_at=envelope.saved_at,
            digest=sealed.head.digest,
            values={key: canonical(value) for key, value in envelope.data.items()},
        )
        self._checkpoints.save(checkpoint, lambda found: decide(None if found is None else self._head(found, sealed)))

    def remove(self, session_id: str) -> bool:
        return self._checkpoints.remove(session_id)

    def page(self, owner: str | None, limit: int, cursor: str | None) -> Page:
        after = parse_cursor(cursor) if cursor is not None else None
        found = self._checkpoints.list(owner or "", limit=limit + 1, after=after)
        entries = tuple(
            CheckpointEntry(session_id=one.session_id, owner=owner, version=one.version, saved_at=one.saved_at)
            for one in found[:limit]
        )
        more = len(found) > limit
        return Page(entries, cursor_after(found[limit - 1].saved_at, found[limit - 1].session_id) if more else None)

    def retention(self) -> Retention:
        return KEPT_FOR_GOOD

    def close(self) -> None:
        """The client is the process's, and others use it."""

    @staticmethod
    def _head(found: Checkpoint, sealed: Sealed) -> Head:
        """Raises UnknownFormat for what a later Memex has saved: it must not be written over."""
        if found.format != sealed.envelope.format:
            why = f"its format is {found.format[:100]!r}, and only {sealed.envelope.format} is known."
            raise UnknownFormat(sealed.session_id, why, found.owner or None)
        return Head(found.version, found.owner or None, found.digest)
