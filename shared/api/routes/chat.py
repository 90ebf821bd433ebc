"""The rows of the chat."""

from __future__ import annotations

from shared.api import chat, checkpoints, parameters
from shared.api.route import Route
from shared.contracts.chat import (
    MessageCreate,
    SessionAnswer,
    SessionCreate,
    SessionPatch,
    SessionsAnswer,
    SessionTraceAnswer,
    TurnCancelAnswer,
    TurnDone,
)
from shared.contracts.events import EventsAnswer
from shared.contracts.sessions import CheckpointAnswer, CheckpointsAnswer

ROUTES: tuple[Route, ...] = (
    Route(
        "POST",
        "/chat/sessions",
        chat.create_session,
        "Begin a session. 200 when the idempotency key found it stored.",
        answer=SessionAnswer,
        status=201,
        body=SessionCreate,
        idempotent_key=True,
        function="chat",
    ),
    Route(
        "GET",
        "/chat/sessions",
        chat.list_sessions,
        "List sessions, the one used last first.",
        answer=SessionsAnswer,
        query=(parameters.LIMIT, parameters.CURSOR),
        function="chat",
    ),
    Route(
        "GET",
        "/chat/sessions/{id}",
        chat.get_session,
        "A session with the newest events of its trace, or with those before a number.",
        answer=SessionTraceAnswer,
        query=(parameters.BEFORE_SEQ, parameters.LIMIT, parameters.HTML),
        function="chat",
    ),
    Route(
        "PATCH",
        "/chat/sessions/{id}",
        chat.patch_session,
        "Give a session another title.",
        answer=SessionAnswer,
        body=SessionPatch,
        function="chat",
    ),
    Route(
        "DELETE",
        "/chat/sessions/{id}",
        chat.delete_session,
        "Cancel what runs in a session, and delete it with all that belongs to it.",
        status=204,
        function="chat",
    ),
    Route(
        "POST",
        "/chat/sessions/{id}/messages",
        chat.send_message,
        "Say something; the answer is streamed as it is written. 409 while another message is being answered; the "
        "same message with the same idempotency key joins the turn that answers it.",
        answer=TurnDone,
        body=MessageCreate,
        query=(parameters.HTML,),
        idempotent_key=True,
        stream=True,
        function="chat",
    ),
    Route(
        "POST",
        "/chat/sessions/{id}/cancel",
        chat.cancel_turn,
        "Cancel the running turn and keep what was said; a no-op that says so when none runs.",
        answer=TurnCancelAnswer,
        function="chat",
    ),
    Route(
        "GET",
        "/chat/sessions/{id}/events",
        chat.session_events,
        "Follow a session through its turns.",
        answer=EventsAnswer,
        query=(*parameters.EVENTS, parameters.HTML),
        stream=True,
        function="chat",
    ),
    Route(
        "GET",
        "/chat/checkpoints",
        checkpoints.list_checkpoints,
        "What the session store has of conversations, the one saved last first, and which store it is; 100 at most.",
        answer=CheckpointsAnswer,
        query=(parameters.LIMIT, parameters.CURSOR),
        function="chat",
    ),
    Route(
        "GET",
        "/chat/checkpoints/{id}",
        checkpoints.get_checkpoint,
        "The checkpoint of a conversation, as the session store has it.",
        answer=CheckpointAnswer,
        function="chat",
    ),
    Route(
        "DELETE",
        "/chat/checkpoints/{id}",
        checkpoints.forget_checkpoint,
        "Have the session store forget a conversation: the next turn puts its checkpoint together anew.",
        status=204,
        function="chat",
    ),
)
