"""The chat, put together: what the functions and the API call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from shared.chat import showing
from shared.chat.beginning import Beginning, Begun, Said
from shared.chat.bounds import Bounds
from shared.chat.cancelling import Cancelling
from shared.chat.checkpoints import Checkpoints
from shared.chat.following import Follower
from shared.chat.history import History
from shared.chat.holding import Held, Key, Told
from shared.chat.launching import Launching
from shared.chat.ports import Ports
from shared.chat.streaming import Live
from shared.chat.taking_over import TakingOver
from shared.contracts.chat import (
    CarryOnAnswer,
    CarryOnRequest,
    TurnCancelAnswer,
    TurnDone,
    TurnStatus,
)
from shared.loop.carrying import Carrying
from shared.loop.journal import Journal
from shared.loop.ports import Means
from shared.loop.watching import watch
from shared.loop.workers import Workers
from shared.operations.launch import with_patience

LOOK_AGAIN_SECONDS = 1.0


@dataclass(frozen=True)
class Answering:
    """A message that is being answered: its frames, and what to call when whoever reads them has gone."""

    frames: Iterator[str]
    leave: Callable[[], None]


class Chat:
    """Every transition of a turn, each in a module of its own."""

    def __init__(self, ports: Ports) -> None:
        self.ports = ports
        self._workers = Workers()
        self._beginning = Beginning(ports)
        self._checkpoints = Checkpoints(ports)
        self._history = History(ports, self._checkpoints)
        self._carrying = Carrying(_means(ports))
        self._cancelling = Cancelling(ports, self._workers)
        self._taking_over = TakingOver(ports)
        self.launching = Launching(ports)

    def answer(self, said: Said, *, html: bool = False) -> Answering:
        """Begin the message's turn, with a worker beside the caller, or join the one that its key began.

        Raises what Beginning.begin raises, and a MemexError that says what to set where there is no model.
        """
        self.ports.model()
        live = Live()
        begun = self._beginning.begin(said, live.tell)
        follower = self._follower(begun)
        follower.html = html
        if begun.held is None:
            live.over()
        else:
            self._work_beside(begun.held, said.text, live)
        return Answering(live.frames(follower, begun.events, self.ports.settings.sse_seconds), live.leave)

    def answer_whole(self, said: Said, *, html: bool = False) -> TurnDone:
        """The same in one piece: the turn as it ended, or as it stands when the time of a stream is over."""
        self.ports.model()
        since = self.ports.now()
        begun = self._beginning.begin(said, _silent)
        if begun.held is not None:
            self._work(begun.held, Journal(said.text))
        self._await(begun, since)
        return showing.done(self.ports.store(said.workspace), said.session_id, begun.key.turn_id, trace=True, html=html)

    def carry_on(self, request: CarryOnRequest) -> CarryOnAnswer:
        """Work on a turn that nobody works on, to its end; else say when to look again. Raises Transient."""
        key = Key(request.workspace, request.session_id, request.turn_id)
        taken = self._taking_over.take(key, _silent)
        if taken.held is not None:
            self._work(taken.held, None, watched=True)
        turn = self.ports.store(key.workspace).chats.find_turn(key.session_id, key.turn_id)
        status = turn.status if turn is not None else TurnStatus.CANCELLED  # its session was deleted
        if status.terminal:
            return CarryOnAnswer(done=True, status=status)
        return CarryOnAnswer(done=False, status=status, next_seconds=(taken.wait_seconds or 0.0) + LOOK_AGAIN_SECONDS)

    def turn_created(self, key: Key) -> None:
        """A turn was created: see that an execution watches over it. Raises Transient."""
        seconds = self.ports.settings.chat_lease_seconds
        with_patience(self.ports.clock, lambda: self.launching.ensure(key, wait_seconds=seconds))

    def cancel(self, workspace: str, session_id: str) -> TurnCancelAnswer:
        """End the running turn and keep what was said; without one a no-op that says so. Raises NotFound, Transient."""
        session, cancelled = self._cancelling.cancel(workspace, session_id)
        message = "The turn was cancelled." if cancelled else "There was nothing to cancel: no turn is running."
        return TurnCancelAnswer(session=showing.summary(session), cancelled=cancelled, message=message)

    def delete(self, workspace: str, session_id: str) -> None:
        """Cancel what runs in a session, and remove it with all that lies below. Raises NotFound, Transient."""
        self._cancelling.cancel(workspace, session_id, deleting=True)
        self._checkpoints.forget(workspace, session_id)
        self.ports.store(workspace).chats.remove(session_id)

    def _work_beside(self, held: Held, text: str, live: Live) -> None:
        live.follows(held)

        def work() -> None:
            try:
                self._work(held, Journal(text))
            finally:
                live.over()

        self.ports.spawn(work, f"turn {held.key.turn_id}")

    def _work(self, held: Held, journal: Journal | None, *, watched: bool = False) -> None:
        """Work on the turn; `watched` says that an execution has asked for it, which will ask again by itself."""
        with self._workers.working(held.key, held):
            self.ports.spawn(lambda: watch(self.ports.clock, held), f"watch {held.key.turn_id}")
            given_back = self._carrying.carry(held, lambda: self._history.briefing(held), journal)
            self._checkpoints.save(held)
            if given_back and not watched:
                self.launching.hand_over(held.key)

    def _await(self, begun: Begun, since: datetime) -> None:
        """Until the turn has ended, for as long after `since` as a stream may last."""
        left = self.ports.settings.sse_seconds - (self.ports.now() - since).total_seconds()
        for _frame in self._follower(begun).frames(left):
            continue

    def _follower(self, begun: Begun) -> Follower:
        store = self.ports.store(begun.key.workspace)
        return Follower(store, begun.key.session_id, self.ports.clock, begun.first_seq - 1, begun.key.turn_id)


def _means(ports: Ports) -> Means:
    """What a turn is worked on with."""
    return Means(
        model=ports.model,
        tools=ports.tools,
        clock=ports.clock,
        spawn=ports.spawn,
        retry_seconds=ports.settings.chat_retry_seconds,
        bounds=Bounds(ports.settings, ports.clock),
    )


def _silent(_told: Told) -> None:
    """Nobody listens in this process."""
