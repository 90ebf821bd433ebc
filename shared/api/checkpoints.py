"""The handlers of the checkpoints: what the session store has of conversations. Whose they are, OwnedSessions asks."""

from __future__ import annotations

from flask import Response

from shared.api import answers
from shared.api.route import Call
from shared.contracts.sessions import CheckpointAnswer, CheckpointsAnswer, StoreAnswer
from shared.errors import NotFound
from shared.sessions.owned import OwnedSessions
from shared.sessions.port import PAGE, PAGE_MAX, SessionStore


def list_checkpoints(call: Call) -> Response:
    sessions = _sessions(call)
    limit = min(call.query.get("limit", PAGE), PAGE_MAX)
    page = sessions.list(limit=limit, cursor=call.query.get("cursor"))
    return answers.model(
        CheckpointsAnswer(store=_about(sessions.store), checkpoints=page.entries, next_cursor=page.next_cursor)
    )


def get_checkpoint(call: Call) -> Response:
    return answers.model(CheckpointAnswer(session_id=call.id, checkpoint=_sessions(call).show(call.id)))


def forget_checkpoint(call: Call) -> Response:
    """As not found as another's where there is none, so that nobody learns which ids there are."""
    vouched = call.store.chats.find(call.id) is not None
    if not _sessions(call).forget(call.id, vouched=vouched):
        raise NotFound(f"There is no conversation {call.id} in the session store.")
    return answers.empty()


def _sessions(call: Call) -> OwnedSessions:
    return call.app.session_stores.of(call.principal.workspace)


def _about(store: SessionStore) -> StoreAnswer:
    return StoreAnswer(kind=store.kind, where=store.where, about=store.about, retention=store.retention())
