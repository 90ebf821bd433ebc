"""A turn in the hands of one worker: every commit checks that it still is, and renews the lease."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from shared.chat.ending import Ending, Last, closing
from shared.chat.ports import Ports
from shared.contracts.chat import ChatSession, RunningTurn, TextPiece
from shared.contracts.events import Event
from shared.errors import Conflict, NotFound
from shared.gateway.transport import Cut
from shared.store.chat import SessionChange
from shared.store.streams import Append, EventDraft
from shared.store.writes import Snapshot, Write

Told = tuple[Event, ...] | TextPiece
"""What a worker tells whoever listens in its process: events that are stored, and text that is not."""


class TurnLost(Conflict):
    """The turn has ended, or another worker has it: this one stops, and writes nothing more."""


class Halted(Exception):
    """The worker was told to stop; what the turn needs further, others do."""


@dataclass(frozen=True)
class Step:
    """What one commit of a worker does besides renewing the lease. With an `ending` it is the turn's last."""

    turn: Mapping[str, Any] = field(default_factory=dict)
    session: Mapping[str, Any] = field(default_factory=dict)
    events: tuple[EventDraft, ...] = ()
    also: tuple[Write, ...] = ()
    ending: Ending | None = None


@dataclass(frozen=True)
class Key:
    """Which turn of which session of which workspace."""

    workspace: str
    session_id: str
    turn_id: str


class Held:
    """One worker's hold on a turn; `session` and `turn` are as its last commit left them, `cut` ends what blocks."""

    def __init__(self, ports: Ports, key: Key, session: ChatSession, tell: Callable[[Told], None]) -> None:
        if session.turn is None:
            raise TurnLost("No turn is running.")
        self.key, self.session, self.turn = key, session, session.turn
        self.cut = Cut()
        self.ended = False
        self.over = threading.Event()
        """Set when the worker has let go of it, however it went."""
        self.writing: tuple[int, str] = (0, "")
        """The number of the answer that is being written, and its text so far."""
        self.renewed_at = ports.now()
        self._ports, self._fence, self._tell = ports, self.turn.fence, tell
        self.store = ports.store(key.workspace)

    def check(self) -> None:
        """Raises Halted once the worker shall stop."""
        if self.cut.reason:
            raise Halted(self.cut.reason)

    def say(self, piece: TextPiece) -> None:
        """Text that is not stored."""
        self._tell(piece)

    def commit(self, make: Callable[[ChatSession, RunningTurn], Step], *, point: str) -> tuple[Event, ...]:
        """One commit of what `make` answers to the state of this moment; returns its events as stored.

        Raises Halted when the worker shall stop or the turn is another's, Transient when nothing got through.
        """
        change = self._committed(make, point)
        self.session, self.turn = change.session, change.session.turn or self.turn
        self.ended = change.session.turn is None
        if change.events:
            self._tell(change.events)
        return change.events

    def renew(self) -> None:
        """Say that the worker lives. Raises as `commit` does.

        It is called beside the worker, so `session`, `turn` and `ended` stay as the worker's own commits left them: an
        answer that comes late must not bring back a state from before the worker's last one.
        """
        self._committed(lambda _session, _turn: Step(), "chat.renew")

    def give_back(self) -> None:
        """Let another carry the turn on at once. Raises NotFound, TurnLost, Transient."""

        def decide(session: ChatSession | None, found: Snapshot) -> Append | None:
            _, turn = self._mine(session)
            return Append({"turn": turn.model_copy(update={"lease_expires_at": found.read_time}).model_dump()})

        self.store.chats.append(self.key.session_id, decide, point="chat.give_back")

    def owns(self, session: ChatSession | None) -> bool:
        """Whether the session, as read now, says that this worker has the turn."""
        turn = session.turn if session is not None else None
        return turn is not None and turn.id == self.key.turn_id and turn.fence == self._fence

    def _committed(self, make: Callable[[ChatSession, RunningTurn], Step], point: str) -> SessionChange:
        self.check()

        def decide(session: ChatSession | None, found: Snapshot) -> Append | None:
            session, turn = self._mine(session)
            return self._append(session, turn, make(session, turn), found)

        begun = self._ports.now()
        try:
            change = self.store.chats.append(self.key.session_id, decide, point=point)
        except (TurnLost, NotFound) as error:
            self.cut.cut("lost")
            raise Halted("lost") from error
        self.renewed_at = max(begun, self.renewed_at)
        return change

    def _mine(self, session: ChatSession | None) -> tuple[ChatSession, RunningTurn]:
        if session is None or session.turn is None or not self.owns(session):
            raise TurnLost("The turn has ended, or another worker has it.")
        return session, session.turn

    def _append(self, session: ChatSession, turn: RunningTurn, step: Step, found: Snapshot) -> Append:
        now = self._ports.now()
        lease = lease_end(found.read_time, self._ports.settings.chat_lease_seconds)
        after = turn.model_copy(update={**step.turn, "lease_expires_at": lease})
        if step.ending is not None:
            append = closing(session, after, step.ending, now, Last(step.events, step.also))
            return Append({**step.session, **append.update}, append.events, append.also)
        update = {**step.session, "turn": after.model_dump()}
        if step.events:
            update["updated_at"] = now
        return Append(update, step.events, step.also)


def lease_end(read_time: datetime, seconds: float) -> datetime:
    """Judged by the server's time, since the clocks of instances differ."""
    return read_time + timedelta(seconds=seconds)
