"""A conversation's checkpoint around a turn: read and brought up to date before it, saved after it.

The events of the session are the truth and the checkpoint is what they come to, so one that is behind, since a turn
failed or a save was lost, catches up from them; and one that is gone is made anew, which is told.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from pydantic import ValidationError

from shared.chat.bounds import Bounds
from shared.chat.holding import Held, SessionEntry, completes
from shared.chat.ports import Ports, SessionsPort
from shared.chat.recounting import TURNS, by_rule
from shared.chat.state import Known
from shared.contracts.chat import ChatSession, RunningTurn, TurnStatus
from shared.contracts.events import Event, EventType
from shared.contracts.sessions import ChatCheckpoint, CheckpointEnvelope
from shared.errors import Conflict, MemexError, NotFound, Transient, Unprocessable
from shared.invalid import problems
from shared.store.streams import EventDraft

log = logging.getLogger(__name__)

SAVE_TRIES = 4
REBUILT_EVENTS = 500
"""At most so many of the last events are read where there is no checkpoint, or an old one."""
REBUILT_TURNS = 3 * TURNS
"""And so many of the last turns, where the events have no summary."""


class CheckpointAway(MemexError):
    """The session store gave no answer for as long as the turn may take."""

    status, code = 422, "checkpoint_away"


class CheckpointForeign(Unprocessable):
    """What lies under the session's id is none of a chat, or another's."""

    code = "checkpoint_foreign"


class Checkpoints:
    def __init__(self, ports: Ports) -> None:
        self._ports, self._bounds = ports, Bounds(ports.settings, ports.clock)

    def load(self, held: Held) -> ChatCheckpoint:
        """Give the worker its conversation's checkpoint, up to the turn's present event.

        Raises what the store refuses by name, CheckpointAway, Halted, Transient.
        """
        known, stored = self._stored(held)
        events = self._events(held, known.checkpoint.seq)
        known = known.after(events)
        held.known = replace(known, checkpoint=self._bridged(held, known.checkpoint))
        self._tell(held, events, stored=stored)
        return held.known.checkpoint

    def save(self, held: Held) -> None:
        """Save the checkpoint after a turn that was completed; after another nothing is saved.

        Never raises: the turn has ended well, and the next one catches up from its events.
        """
        if not held.completed or held.known is None:
            return
        sessions = self._ports.sessions(held.key.workspace)
        try:
            self._saved(sessions, held.key.session_id, held.known)
            session = held.store.chats.find(held.key.session_id)
            if session is None or session.deleting:  # it was deleted while this was saved
                sessions.forget(held.key.session_id, vouched=True)
        except MemexError as error:
            log.warning("session %s: its checkpoint was not saved: %s", held.key.session_id, error.message)

    def forget(self, workspace: str, session_id: str) -> None:
        """Raises what the store raises, but for a session that is not the workspace's."""
        try:
            self._ports.sessions(workspace).forget(session_id, vouched=True)
        except NotFound:
            log.warning("session %s: what the session store has under its id is another's", session_id)

    def _stored(self, held: Held) -> tuple[Known, bool]:
        """What the store has of it, and whether that can be gone on from.

        One that is ahead of the conversation, since Firestore was set back, would keep later events out: made anew.
        """
        envelope = self._hydrated(held)
        if envelope is None:
            return Known(ChatCheckpoint()), False
        checkpoint = _checkpoint(held.key.session_id, envelope)
        if checkpoint.seq > held.session.seq:
            return Known(ChatCheckpoint(), envelope.version), False
        return Known(checkpoint, envelope.version), True

    def _hydrated(self, held: Held) -> CheckpointEnvelope | None:
        try:
            return self._ports.sessions(held.key.workspace).hydrate(held.key.session_id)
        except NotFound as error:
            message = "What the session store has under this session's id belongs to another: it is not used."
            raise CheckpointForeign(message) from error
        except Transient as error:
            if self._bounds.left_seconds(held.turn) > 0:
                raise
            message = f"The session store gives no answer, and without it this cannot go on: {error.message}"
            raise CheckpointAway(message) from error

    def _events(self, held: Held, after: int) -> list[Event]:
        """The last events behind that one. There are none to read where only the turn's message came after it."""
        if held.turn.fence == 1 and after >= held.session.seq - 1:
            return []
        after = max(after, held.session.seq - REBUILT_EVENTS)
        return list(held.store.streams.all(held.stream, after=after))

    def _bridged(self, held: Held, checkpoint: ChatCheckpoint) -> ChatCheckpoint:
        """With a summary by rule of turns that are told neither in the summary nor word by word: after a rebuilding."""
        if held.turn.n - checkpoint.summarised_turns <= TURNS + 2:
            return checkpoint
        found = held.store.chats.turns(held.key.session_id, after=checkpoint.summarised_turns, limit=REBUILT_TURNS)
        old = [turn for turn in reversed(found) if turn.n < held.turn.n][:-TURNS]
        update = {"summary": by_rule(checkpoint.summary, old), "summarised_turns": old[-1].n} if old else {}
        return checkpoint.model_copy(update=update)

    def _tell(self, held: Held, events: Sequence[Event], *, stored: bool) -> None:
        """Say it once where completed turns were not in what the store had, or where it had nothing of them."""
        kind = EventType.CHECKPOINT_BEHIND if stored else EventType.CHECKPOINT_REBUILT
        missed = sum(completes(event) for event in events)
        if not stored and not missed and held.turn.n > 1:
            turns = held.store.chats.turns(held.key.session_id, after=0, limit=TURNS)
            missed = sum(turn.status is TurnStatus.COMPLETED for turn in turns)
        said = any(event.type == kind and event.data.get("turn_id") == held.turn.id for event in events)
        if not missed or said:  # said by the worker before
            return

        def make(_session: ChatSession, turn: RunningTurn) -> SessionEntry:
            data = {"turn_id": turn.id, "turns": missed if stored else turn.n - 1}
            return SessionEntry(events=(EventDraft(kind, data),))

        held.change(make, point="chat.checkpoint_told")

    def _saved(self, sessions: SessionsPort, session_id: str, known: Known) -> None:
        """Save, over what another worker has saved meanwhile if that covers less. Raises MemexError."""
        version = known.version
        for _ in range(SAVE_TRIES):
            envelope = CheckpointEnvelope(
                version=version + 1, saved_at=self._ports.now(), data=known.checkpoint.model_dump(mode="json")
            )
            try:
                sessions.persist(session_id, envelope)
                return
            except Conflict:
                theirs = sessions.hydrate(session_id)
            if theirs is not None and _checkpoint(session_id, theirs).seq >= known.checkpoint.seq:
                return
            version = theirs.version if theirs is not None else 0
        raise Transient("Other workers save at the same moment.")


def _checkpoint(session_id: str, envelope: CheckpointEnvelope) -> ChatCheckpoint:
    try:
        return ChatCheckpoint.model_validate(envelope.data)
    except ValidationError as error:
        field, _ = problems(error, whole="it")[0]
        raise CheckpointForeign(
            f"The checkpoint of the conversation {session_id} is none of a chat: {field} is malformed."
        ) from error
