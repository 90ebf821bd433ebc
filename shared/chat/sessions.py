"""Creating a session, once for each idempotency key, and giving it another title."""

from __future__ import annotations

from shared.clock import Clock
from shared.contracts.chat import ChatSession, SessionCreate, SessionPatch
from shared.contracts.events import EventType
from shared.errors import Unprocessable
from shared.ids import IdSource, derived
from shared.store.chat import missing
from shared.store.streams import Append, EventDraft
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Snapshot


def create(
    store: WorkspaceStore, wanted: SessionCreate, *, clock: Clock, ids: IdSource, key: str | None
) -> tuple[ChatSession, bool]:
    """The session, and whether this call made it; the same `key` in the same workspace is the same session.

    Raises Unprocessable when the key was used with another title.
    """
    session_id = derived("chat", store.workspace, key) if key is not None else ids.fresh()
    now = clock.now()
    new = ChatSession(id=session_id, title=wanted.title, created_at=now, updated_at=now)

    def decide(session: ChatSession | None, found: Snapshot) -> Append | None:
        if session is None:
            return Append({**new.model_dump(), "asked_title": wanted.title})
        if (found.fields or {}).get("asked_title") != wanted.title:
            message = "This Idempotency-Key was used for another session: take a new one."
            raise Unprocessable(message, field="Idempotency-Key")
        return None

    change = store.chats.append(session_id, decide, point="chat.create", create=True)
    return change.session, change.changed


def rename(store: WorkspaceStore, session_id: str, wanted: SessionPatch, *, clock: Clock) -> ChatSession:
    """Give the session this title. Raises NotFound."""

    def decide(session: ChatSession | None, _found: Snapshot) -> Append | None:
        if session is None:
            raise missing(session_id)
        if session.title == wanted.title:
            return None
        event = EventDraft(EventType.SESSION_RENAMED, {"title": wanted.title})
        return Append({"title": wanted.title, "updated_at": clock.now()}, (event,))

    return store.chats.append(session_id, decide, point="chat.rename").session
