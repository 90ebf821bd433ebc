"""A session store: every check that all of them have in common, above the shelf in which the texts lie."""

from __future__ import annotations

from functools import partial

from shared.contracts.sessions import CheckpointEnvelope, Retention, SessionStoreKind
from shared.errors import InputError
from shared.sessions.envelope import check_id, goes_over, seal, unseal
from shared.sessions.errors import StoreClosed
from shared.sessions.port import PAGE, PAGE_MAX, Page, Shelf, Stored


class Store:
    """A SessionStore; safe to use from several threads."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf, self._closed = shelf, False

    @property
    def kind(self) -> SessionStoreKind:
        return self._shelf.kind

    @property
    def where(self) -> str:
        return self._shelf.where

    @property
    def about(self) -> str:
        return self._shelf.about

    def hydrate(self, session_id: str) -> CheckpointEnvelope | None:
        found = self._read(session_id)
        return None if found is None else unseal(session_id, found.text, found.owner)

    def persist(self, session_id: str, envelope: CheckpointEnvelope) -> None:
        shelf = self._open(session_id)
        sealed = seal(session_id, envelope, shelf.max_bytes)
        shelf.write(sealed, partial(goes_over, sealed))

    def forget(self, session_id: str) -> bool:
        return self._open(session_id).remove(session_id)

    def list_by_user(self, owner: str | None, *, limit: int = PAGE, cursor: str | None = None) -> Page:
        if not 1 <= limit <= PAGE_MAX:
            raise InputError(f"limit: 1 to {PAGE_MAX} at once.", field="limit")
        return self._open().page(owner, limit, cursor)

    def owner_of(self, session_id: str) -> str | None:
        envelope = self.hydrate(session_id)
        return None if envelope is None else envelope.owner

    def retention(self) -> Retention:
        return self._open().retention()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._shelf.close()

    def _read(self, session_id: str) -> Stored | None:
        return self._open(session_id).read(session_id)

    def _open(self, session_id: str | None = None) -> Shelf:
        if self._closed:
            raise StoreClosed(f"The session store {self.kind.value} is closed: open another.")
        if session_id is not None:
            check_id(session_id)
        return self._shelf
