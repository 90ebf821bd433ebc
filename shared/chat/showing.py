"""Sessions and turns as they are shown outside the store."""

from __future__ import annotations

from dataclasses import dataclass

from shared.contracts.chat import ChatSession, SessionSummary, SessionWithTrace, TurnDone
from shared.contracts.events import Envelope, Event, EventType
from shared.contracts.operations import Usage
from shared.errors import NotFound
from shared.store import paths
from shared.store.workspace import WorkspaceStore
from shared.trace.envelopes import envelope

_WRITTEN = frozenset({EventType.USER_MESSAGE, EventType.MODEL_TEXT, EventType.RUN_ANSWER})
"""Events whose text is Markdown."""


def summary(session: ChatSession) -> SessionSummary:
    return SessionSummary(
        id=session.id,
        title=session.title,
        created_at=session.created_at,
        updated_at=session.updated_at,
        turns=session.turns,
        running_turn_id=session.turn.id if session.turn is not None else None,
        usage=session.usage,
    )


def shown(event: Event, session_id: str, *, html: bool) -> Envelope:
    """The event of a session as its envelope; with `html` a written text has its HTML beside it, safe to show."""
    made = envelope(event, paths.session(session_id))
    if not html or event.type not in _WRITTEN:
        return made
    from shared.markdown import html as rendered

    return made.model_copy(update={"data": made.data | {"html": rendered(str(event.data.get("text", "")))}})


@dataclass(frozen=True)
class Wanted:
    """Which part of a trace: at most `limit` events, the last ones before the one numbered `before`."""

    limit: int
    before: int | None = None
    html: bool = False


def with_trace(store: WorkspaceStore, session_id: str, wanted: Wanted) -> SessionWithTrace:
    """A session with its last events, or with those before a number. Raises NotFound."""
    before, limit = wanted.before, wanted.limit
    session = store.chats.get(session_id)
    stream = paths.session(session_id)
    last = min(session.seq, before - 1) if before is not None else session.seq
    first = max(0, last - limit)
    found = store.streams.page(stream, after=first, limit=last - first).events if last > first else ()
    trace = tuple(shown(event, session_id, html=wanted.html) for event in found if event.seq <= last)
    draft = store.chats.draft(session_id, session.turn.id) if session.turn is not None else None
    return SessionWithTrace(
        **summary(session).model_dump(),
        trace=trace,
        more_before=first + 1 if first > 0 else None,
        draft=draft.text if draft is not None and session.turn and draft.iteration > session.turn.iteration else "",
    )


def done(store: WorkspaceStore, session_id: str, turn_id: str, *, trace: bool = False, html: bool = False) -> TurnDone:
    """How a turn stands, as its last frame says it; with the turn's events for who wants it whole. Raises NotFound."""
    session, turn = store.chats.find_both(session_id, turn_id)
    if session is None or turn is None:
        raise NotFound(f"There is no turn {turn_id}.")
    running = session.turn is not None and session.turn.id == turn_id
    return TurnDone(
        session=summary(session),
        turn_id=turn_id,
        status=turn.status,
        usage=session.turn.usage if running and session.turn is not None else Usage(**turn.usage.model_dump()),
        model=turn.model,
        answer=turn.answer,
        error=turn.error,
        trace=tuple(shown(one, session_id, html=html) for one in events_of(store, session_id, turn.first_seq))
        if trace
        else (),
    )


def events_of(store: WorkspaceStore, session_id: str, first_seq: int) -> tuple[Event, ...]:
    """The events of the turn that begins with that event."""
    found: list[Event] = []
    for event in store.streams.all(paths.session(session_id), after=first_seq - 1):
        if found and event.data.get("turn_id") not in (None, found[0].data.get("turn_id")):
            break
        found.append(event)
    return tuple(found)
