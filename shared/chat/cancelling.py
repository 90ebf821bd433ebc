"""Cancelling a turn: the end is committed first, with what was said until then; the worker stops because of it."""

from __future__ import annotations

from shared.chat.ending import CANCELLED, Last, closing
from shared.chat.holding import Held, Key
from shared.chat.ports import Ports
from shared.contracts.chat import ChatSession, RunningTurn
from shared.contracts.events import EventType
from shared.contracts.operations import Usage
from shared.llm.parts import text_of
from shared.loop.journal import parts_of
from shared.loop.ports import model_fact
from shared.loop.seat import Ending
from shared.loop.workers import Workers
from shared.store.chat import missing
from shared.store.streams import Append, EventDraft
from shared.store.writes import Snapshot


class Cancelling:
    def __init__(self, ports: Ports, workers: Workers) -> None:
        self._ports, self._workers = ports, workers

    def cancel(self, workspace: str, session_id: str, *, deleting: bool = False) -> tuple[ChatSession, bool]:
        """End the running turn; the session after it, and whether there was a turn to end. Raises NotFound, Transient.

        With `deleting` the session takes no message from then on.
        """
        ended: list[RunningTurn] = []

        def decide(session: ChatSession | None, _found: Snapshot) -> Append | None:
            ended.clear()
            if session is None:
                raise missing(session_id)
            append = Append()
            if session.turn is not None:
                ended.append(session.turn)
                append = self._closing(Key(workspace, session_id, session.turn.id), session, session.turn)
            if deleting:
                return Append({**append.update, "deleting": True}, append.events, append.also)
            return append if ended else None

        change = self._ports.store(workspace).chats.append(session_id, decide, point="chat.cancel")
        for turn in ended:
            self._workers.cut(Key(workspace, session_id, turn.id))
        return change.session, bool(ended)

    def _closing(self, key: Key, session: ChatSession, turn: RunningTurn) -> Append:
        partial, spent = self._partial(key, session, turn)
        events: tuple[EventDraft, ...] = ()
        if partial:
            data = {"turn_id": turn.id, "iteration": turn.iteration + 1, "text": partial, "partial": True}
            events = (EventDraft(EventType.MODEL_TEXT, data),)
        ending = Ending(CANCELLED, partial or self._said(key, turn), facts=model_fact(self._ports.model))
        used = turn.model_copy(update={"usage": turn.usage + spent})
        return closing(session, used, ending, self._ports.now(), Last(events))

    def _partial(self, key: Key, session: ChatSession, turn: RunningTurn) -> tuple[str, Usage]:
        """What the worker was writing, and what that has cost as far as it was told.

        From its own memory when it is in this process, else from its last draft.
        """
        seat = self._workers.find(key)
        if isinstance(seat, Held) and seat.owns(session) and seat.writing.iteration == turn.iteration + 1:
            return seat.writing.text.strip(), seat.writing.usage
        draft = self._ports.store(key.workspace).chats.draft(key.session_id, key.turn_id)
        if draft is None or draft.iteration <= turn.iteration:
            return "", Usage()
        return draft.text.strip(), draft.usage

    def _said(self, key: Key, turn: RunningTurn) -> str:
        if turn.iteration == 0:
            return ""
        answers = self._ports.store(key.workspace).chats.answers(key.session_id, key.turn_id)
        return next((text for one in reversed(answers) if (text := text_of(parts_of(one)))), "")
