"""The handlers of the chat: sessions, messages, and their streams."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response

from shared.api import answers, request
from shared.api.events import STREAMS_FULL, events_page, last_event_id
from shared.api.route import Call
from shared.chat import showing
from shared.chat.beginning import Said
from shared.chat.following import Follower
from shared.chat.sessions import create, rename
from shared.chat.streaming import opened
from shared.contracts.chat import (
    MessageCreate,
    SessionAnswer,
    SessionCreate,
    SessionPatch,
    SessionsAnswer,
    SessionTraceAnswer,
)
from shared.contracts.limits import PAGE_SIZE
from shared.store import paths
from shared.trace.tail import position

SESSIONS = 20
_ANSWERS_FULL = "Too many answers and event streams are under way: when one has ended, send the message again."


def create_session(call: Call) -> Response:
    key = request.idempotency_key(call.request)
    wanted = request.body(call.request, SessionCreate)
    session, created = create(call.store, wanted, clock=call.app.clock, ids=call.app.ids, key=key)
    return answers.model(SessionAnswer(session=showing.summary(session)), 201 if created else 200)


def list_sessions(call: Call) -> Response:
    sessions, next_cursor = call.store.chats.list(**{"limit": SESSIONS, **call.query})
    return answers.model(SessionsAnswer(sessions=tuple(map(showing.summary, sessions)), next_cursor=next_cursor))


def get_session(call: Call) -> Response:
    wanted = showing.Wanted(**{"limit": PAGE_SIZE, **call.query})
    return answers.model(SessionTraceAnswer(session=showing.with_trace(call.store, call.id, wanted)))


def patch_session(call: Call) -> Response:
    change = request.body(call.request, SessionPatch)
    session = rename(call.store, call.id, change, clock=call.app.clock)
    return answers.model(SessionAnswer(session=showing.summary(session)))


def delete_session(call: Call) -> Response:
    """What is remembered of it goes too: that is asked for first, while the session can still be deleted again."""
    call.store.chats.get(call.id)
    call.app.brain.session_gone(call.principal.workspace, call.id)
    call.app.chat.delete(call.principal.workspace, call.id)
    return answers.empty()


def send_message(call: Call) -> Response:
    """Server-Sent Events, or the whole turn for who asks for JSON."""
    wanted = request.body(call.request, MessageCreate)
    said = Said(call.principal.workspace, call.id, wanted.text, request.idempotency_key(call.request))
    html = call.query.get("html", False)
    leave = call.app.gate.enter(call.principal.workspace, refusal=_ANSWERS_FULL)
    try:
        if request.wants_json(call.request):
            turn = call.app.chat.answer_whole(said, html=html)
            leave()
            return answers.model(turn)
        answering = call.app.chat.answer(said, html=html)
    except BaseException:
        leave()
        raise
    return answers.event_stream(answering.frames, _both(answering.leave, leave))


def cancel_turn(call: Call) -> Response:
    return answers.model(call.app.chat.cancel(call.principal.workspace, call.id))


def session_events(call: Call) -> Response:
    """Follow a session through its turns: trace events, drafts, and a `done` for each turn that ends."""
    start = position(call.store.streams, paths.session(call.id), last_event_id(call))
    html = call.query.get("html", False)
    if request.wants_json(call.request):
        return events_page(call, start, lambda event, _stream: showing.shown(event, call.id, html=html))
    leave = call.app.gate.enter(call.principal.workspace, refusal=STREAMS_FULL)
    follower = Follower(call.store, call.id, call.app.clock, start.cursor, html=html)
    return answers.event_stream(opened(lambda: follower.frames(call.app.settings.sse_seconds)), leave)


def _both(one: Callable[[], None], other: Callable[[], None]) -> Callable[[], None]:
    def leave() -> None:
        try:
            one()
        finally:
            other()

    return leave
