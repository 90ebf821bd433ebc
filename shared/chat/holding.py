"""A turn in the hands of one worker: every commit checks that it still is, and renews the lease."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from shared.chat.ending import Last, closing
from shared.chat.ports import Ports
from shared.chat.state import Known
from shared.contracts.chat import ChatSession, Draft, ModelAnswer, RunningTurn, TextPiece, TurnStatus
from shared.contracts.events import Event, EventType
from shared.errors import Conflict, NotFound
from shared.gateway.transport import Cut
from shared.ids import derived
from shared.loop.seat import Entry, Halted, Place, Progress, Writing
from shared.store import paths
from shared.store.chat import SessionChange
from shared.store.streams import Append
from shared.store.writes import Snapshot, Write, create
from shared.tools.tool import Job

Told = tuple[Event, ...] | TextPiece
"""What a worker tells whoever listens in its process: events that are stored, and text that is not."""


class TurnLost(Conflict):
    """The turn has ended, or another worker has it: this one stops, and writes nothing more."""


@dataclass(frozen=True)
class SessionEntry(Entry):
    """One that changes fields of the session besides."""

    session: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Key:
    """Which turn of which session of which workspace."""

    workspace: str
    session_id: str
    turn_id: str


class Held:
    """One worker's hold on a turn, its seat for the loop; `session` and `turn` are as its last commit left them."""

    kind = "turn"

    def __init__(self, ports: Ports, key: Key, session: ChatSession, tell: Callable[[Told], None]) -> None:
        if session.turn is None:
            raise TurnLost("No turn is running.")
        self.key, self.session, self.turn = key, session, session.turn
        self.cut = Cut()
        self.ended, self.completed = False, False
        self.known: Known | None = None
        """The conversation's checkpoint, once it was loaded; each commit of this worker brings it forward."""
        self.over = threading.Event()
        """Set when the worker has let go of it, however it went."""
        self.writing = Writing()
        self.renewed_at = ports.now()
        self._ports, self._fence, self._tell = ports, self.turn.fence, tell
        self.store = ports.store(key.workspace)

    def check(self) -> None:
        """Raises Halted once the worker shall stop."""
        if self.cut.reason:
            raise Halted(self.cut.reason)

    @property
    def id(self) -> str:
        return self.key.turn_id

    @property
    def data(self) -> Mapping[str, Any]:
        return {"turn_id": self.key.turn_id}

    @property
    def stream(self) -> str:
        return paths.session(self.key.session_id)

    @property
    def first_seq(self) -> int:
        return self.turn.first_seq

    @property
    def progress(self) -> Progress:
        return self.turn

    @property
    def lease_seconds(self) -> float:
        return self._ports.settings.chat_lease_seconds

    def say(self, iteration: int, text: str) -> None:
        self._tell(TextPiece(turn_id=self.key.turn_id, iteration=iteration, text=text))

    def save_draft(self, iteration: int, text: str) -> None:
        now, usage = self._ports.now(), self.writing.usage
        draft = Draft(iteration=iteration, text=text, updated_at=now, fence=self._fence, usage=usage)
        self.store.chats.save_draft(self.key.session_id, self.key.turn_id, draft)

    def asked(self) -> str:
        turn = self.store.chats.find_turn(self.key.session_id, self.key.turn_id)
        return turn.text if turn is not None else ""

    def answers(self) -> Sequence[ModelAnswer]:
        return self.store.chats.answers(self.key.session_id, self.key.turn_id)

    def storing(self, answer: ModelAnswer) -> Write:
        return create(paths.answer(self.key.session_id, self.key.turn_id, answer.n), answer.model_dump())

    def job(self, place: Place, cut: Cut) -> Job:
        key = self.key
        effect = derived("effect", key.session_id, key.turn_id, str(place.iteration), str(place.index))
        return Job(
            store=self.store,
            services=self._ports.services(key.workspace),
            clock=self._ports.clock,
            actor=paths.session(key.session_id),
            effect_key=effect,
            cut=cut,
            also=lambda _answer: (self._standing(effect),),
        )

    def _standing(self, effect: str) -> Write:
        """What lets an effect's commit through only while the turn runs.

        Raises TurnLost when it is known not to: a commit that is refused for it would be tried again and again.
        """
        draft = self.store.chats.draft(self.key.session_id, self.key.turn_id)
        if draft is None or draft.fence != self._fence:
            raise TurnLost("The turn has ended, or another worker has it: nothing more is changed.")
        return self.store.chats.while_running(self.key.session_id, self.key.turn_id, effect)

    def commit(self, make: Callable[[Progress], Entry], *, point: str) -> tuple[Event, ...]:
        """As the loop commits."""
        return self.change(lambda _session, turn: make(turn), point=f"chat.{point}")

    def change(self, make: Callable[[ChatSession, RunningTurn], Entry], *, point: str) -> tuple[Event, ...]:
        """One commit of what `make` answers to the state of this moment; returns its events as stored.

        Raises Halted when the worker shall stop or the turn is another's, Transient when nothing got through.
        """
        change = self._committed(make, point)
        self.session, self.turn = change.session, change.session.turn or self.turn
        self.ended = change.session.turn is None
        self.completed = any(completes(event) for event in change.events)
        if self.known is not None:
            self.known = self.known.after(change.events)
        if change.events:
            self._tell(change.events)
        return change.events

    def renew(self) -> None:
        """Say that the worker lives. Raises as `change` does.

        It is called beside the worker, so `session`, `turn` and `ended` stay as the worker's own commits left them: an
        answer that comes late must not bring back a state from before the worker's last one.
        """
        self._committed(lambda _session, _turn: Entry(), "chat.renew")

    def give_back(self) -> None:
        """Let another carry the turn on at once. Raises NotFound, TurnLost, Transient."""

        def decide(session: ChatSession | None, found: Snapshot) -> Append | None:
            _, turn = self._mine(session)
            return Append({"turn": turn.model_copy(update={"lease_expires_at": found.read_time}).model_dump()})

        self.store.chats.append(self.key.session_id, decide, point="chat.give_back")

    def owned(self) -> bool:
        return self.owns(self.store.chats.find(self.key.session_id))

    def owns(self, session: ChatSession | None) -> bool:
        """Whether the session, as read now, says that this worker has the turn."""
        turn = session.turn if session is not None else None
        return turn is not None and turn.id == self.key.turn_id and turn.fence == self._fence

    def _committed(self, make: Callable[[ChatSession, RunningTurn], Entry], point: str) -> SessionChange:
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

    def _append(self, session: ChatSession, turn: RunningTurn, entry: Entry, found: Snapshot) -> Append:
        now = self._ports.now()
        changes = entry.session if isinstance(entry, SessionEntry) else {}
        lease = lease_end(found.read_time, self._ports.settings.chat_lease_seconds)
        after = turn.model_copy(update={**entry.progress, "lease_expires_at": lease})
        if entry.ending is not None:
            append = closing(session, after, entry.ending, now, Last(entry.events, entry.also))
            return Append({**changes, **append.update}, append.events, append.also)
        update = {**changes, "turn": after.model_dump()}
        if entry.events:
            update["updated_at"] = now
        return Append(update, entry.events, entry.also)


def completes(event: Event) -> bool:
    """Whether it ends a turn that was completed."""
    return event.type == EventType.TURN_ENDED and event.data.get("status") == TurnStatus.COMPLETED


def lease_end(read_time: datetime, seconds: float) -> datetime:
    """Judged by the server's time, since the clocks of instances differ."""
    return read_time + timedelta(seconds=seconds)
