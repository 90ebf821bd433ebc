"""The one place that asks whose conversation it is: a store keeps what it is given, and tells it to anyone."""

from __future__ import annotations

from shared.contracts.sessions import CheckpointEnvelope
from shared.errors import NotFound
from shared.sessions.errors import OwnerChanged, Unread
from shared.sessions.port import PAGE, Page, SessionStore


class OwnedSessions:
    """The sessions of one principal. What is another's is not there for it: NotFound, as for an id that is none."""

    def __init__(self, store: SessionStore, principal: str) -> None:
        self.store, self._principal = store, principal

    def hydrate(self, session_id: str) -> CheckpointEnvelope | None:
        """As the store's; None where nothing ever was. Raises NotFound for another's.

        For who knows that the session is the principal's: what cannot be read, not even whose it is, is told by name.
        """
        try:
            envelope = self.store.hydrate(session_id)
        except Unread as error:
            if error.owner not in (self._principal, None):
                raise _missing(session_id) from None
            raise
        if envelope is not None and envelope.owner != self._principal:
            raise _missing(session_id)
        return envelope

    def show(self, session_id: str) -> CheckpointEnvelope:
        """For who may have guessed the id. Raises NotFound where there is none, or nobody can tell whose, too."""
        try:
            envelope = self.hydrate(session_id)
        except Unread as error:
            if error.owner is None:
                raise _missing(session_id) from None
            raise
        if envelope is None:
            raise _missing(session_id)
        return envelope

    def persist(self, session_id: str, envelope: CheckpointEnvelope) -> None:
        """As the store's; the envelope is the principal's. Raises NotFound for another's session."""
        mine = envelope.model_copy(update={"owner": self._principal})
        try:
            self.store.persist(session_id, mine)
        except OwnerChanged:
            raise _missing(session_id) from None
        except Unread as error:
            if error.owner not in (self._principal, None):
                raise _missing(session_id) from None
            raise

    def forget(self, session_id: str, *, vouched: bool = False) -> bool:
        """Whether there was one of the principal's to forget. Raises NotFound for another's.

        `vouched`: the caller knows that the session is the principal's, where what is stored cannot say it any more.
        """
        try:
            owner = self.store.owner_of(session_id)
        except Unread as error:
            owner = error.owner or (self._principal if vouched else "")
        if owner is None:
            return False
        if owner != self._principal:
            raise _missing(session_id)
        return self.store.forget(session_id)

    def list(self, *, limit: int = PAGE, cursor: str | None = None) -> Page:
        return self.store.list_by_user(self._principal, limit=limit, cursor=cursor)


def _missing(session_id: str) -> NotFound:
    return NotFound(f"There is no conversation {session_id} in the session store.")
