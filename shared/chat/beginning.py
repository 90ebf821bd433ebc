"""The beginning of a turn: one commit of message, running turn and documents; or joining one begun before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shared.chat.holding import Held, Key, Told, lease_end
from shared.chat.ports import Ports
from shared.chat.titles import title_of
from shared.contracts.chat import ChatSession, Draft, RunningTurn, Turn
from shared.contracts.events import Event, EventType
from shared.errors import Conflict, Unprocessable
from shared.ids import derived
from shared.store import paths
from shared.store.chat import missing
from shared.store.streams import Append, EventDraft
from shared.store.writes import Snapshot, create


class TurnRunning(Conflict):
    """Another message is being answered; details.turn_id names its turn."""

    code = "turn_running"


@dataclass(frozen=True)
class Begun:
    """A turn; `held` is None when it had been begun before, with the same key. `first_seq` is its message's event."""

    key: Key
    first_seq: int
    events: tuple[Event, ...] = ()
    held: Held | None = None


@dataclass(frozen=True)
class Said:
    """A message: to which session, and with which idempotency key."""

    workspace: str
    session_id: str
    text: str
    key: str | None = None


class Beginning:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def begin(self, said: Said, tell: Callable[[Told], None]) -> Begun:
        """Begin the turn that answers the message; the same message with the same key joins the turn it began.

        Raises NotFound, TurnRunning (409) while another turn runs, SpendingPaused, Conflict while the session is being
        deleted, and Unprocessable for a key that was used with another message.
        """
        turn_id = derived("turn", said.session_id, said.key) if said.key is not None else self._ports.ids.fresh()
        key = Key(said.workspace, said.session_id, turn_id)
        earlier: list[Turn] = []

        def decide(session: ChatSession | None, found: Snapshot) -> Append | None:
            if session is None or session.deleting:
                raise missing(said.session_id)
            earlier[:] = self._earlier(key) if said.key is not None else ()
            if earlier:
                return None
            if session.turn is not None:
                message = "This session is answering another message: wait for its end, or cancel it."
                raise TurnRunning(message, turn_id=session.turn.id)
            self._ports.check_spending(said.workspace)
            return self._first(session, turn_id, said, found)

        change = self._ports.store(said.workspace).chats.append(said.session_id, decide, point="chat.begin")
        if earlier:
            return self._joined(key, earlier[0], said)
        first_seq = change.events[0].seq
        if change.session.turn is None or change.session.turn.id != turn_id:
            return Begun(key, first_seq)  # it was begun by a commit without an answer, and has ended since
        return Begun(key, first_seq, change.events, Held(self._ports, key, change.session, tell))

    def _earlier(self, key: Key) -> tuple[Turn, ...]:
        turn = self._ports.store(key.workspace).chats.find_turn(key.session_id, key.turn_id)
        return (turn,) if turn is not None else ()

    def _joined(self, key: Key, turn: Turn, said: Said) -> Begun:
        if turn.text != said.text:
            message = "This Idempotency-Key was used for another message: take a new one."
            raise Unprocessable(message, field="Idempotency-Key")
        return Begun(key, turn.first_seq)

    def _first(self, session: ChatSession, turn_id: str, said: Said, found: Snapshot) -> Append:
        now, n = self._ports.now(), session.turns + 1
        first_seq = session.seq + 1
        running = RunningTurn(
            id=turn_id,
            n=n,
            lease_expires_at=lease_end(found.read_time, self._ports.settings.chat_lease_seconds),
            started_at=now,
            first_seq=first_seq,
        )
        turn = Turn(id=turn_id, n=n, text=said.text, first_seq=first_seq, created_at=now, updated_at=now)
        update = {
            "turn": running.model_dump(),
            "turns": n,
            "title": session.title or title_of(said.text),
            "updated_at": now,
        }
        known = {"key": said.key} if said.key is not None else {}
        return Append(
            update,
            (EventDraft(EventType.USER_MESSAGE, {"turn_id": turn_id, "text": said.text, **known}),),
            (
                create(paths.turn(session.id, turn_id), turn.model_dump()),
                create(paths.draft(session.id, turn_id), Draft(iteration=0, text="", updated_at=now).model_dump()),
            ),
        )
