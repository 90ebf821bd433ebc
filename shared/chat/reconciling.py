"""The sweep over chats: a turn that nobody works on and no living execution watches over gets an execution, and a
session whose deletion broke off is removed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from shared.chat.holding import Key
from shared.chat.launching import LaunchHeld, Launching
from shared.chat.ports import Ports
from shared.contracts.research import SweepAnswer
from shared.errors import MemexError
from shared.store.system import Found, FoundTurn, SystemStore

log = logging.getLogger(__name__)

_STALE = timedelta(minutes=1)
_TURNS = 200
_BUDGET_SECONDS = 60.0


@dataclass
class SweptTurns:
    """How many turns got an execution; `failures` are left to the next sweep."""

    launched: int = 0
    failures: list[str] = field(default_factory=list)
    out_of_time: bool = False

    def over(self, now: datetime, end: datetime) -> bool:
        """Whether the time is used up, which is noted."""
        self.out_of_time = self.out_of_time or now > end
        return self.out_of_time

    @contextmanager
    def noting(self, one: Found | FoundTurn) -> Iterator[None]:
        """What goes wrong with one is noted, and the sweep goes on."""
        try:
            yield
        except LaunchHeld:
            return
        except MemexError as error:
            log.warning("sweep: %s/%r: %s", one.workspace, one.id, error.message)
            self.failures.append(f"{one.workspace}/{one.id}: {error.code}")

    def added_to(self, answer: SweepAnswer) -> SweepAnswer:
        """The answer of the whole sweep."""
        return answer.model_copy(
            update={
                "turns": self.launched,
                "failed": answer.failed + len(self.failures),
                "failures": (*answer.failures, *self.failures),
                "out_of_time": answer.out_of_time or self.out_of_time,
            }
        )


class TurnReconciler:
    def __init__(self, ports: Ports, system: Callable[[], SystemStore], launching: Launching) -> None:
        self._ports, self._system, self._launching = ports, system, launching

    def sweep(self) -> SweptTurns:
        """One bounded pass over all workspaces; safe to run twice at once. Raises Transient only for its queries."""
        end, swept = self._ports.now() + timedelta(seconds=_BUDGET_SECONDS), SweptTurns()
        for turn in self._system().stale_turns(self._ports.now() - _STALE, _TURNS):
            if swept.over(self._ports.now(), end):
                break
            with swept.noting(turn):
                swept.launched += self._mended(turn)
        for session in self._system().half_deleted_sessions():
            if swept.over(self._ports.now(), end):
                break
            with swept.noting(session):
                self._ports.store(session.workspace).chats.remove(session.id)
        return swept

    def _mended(self, one: FoundTurn) -> bool:
        """Whether an execution was started for it."""
        chats = self._ports.store(one.workspace).chats
        session, turn = chats.find(one.session_id), chats.find_turn(one.session_id, one.id)
        if session is None or session.turn is None or session.turn.id != one.id or turn is None:
            return False
        if session.turn.lease_expires_at + _STALE > self._ports.now():
            return False
        if turn.execution is not None and self._ports.executions.alive(turn.execution):
            return False
        key = Key(one.workspace, one.session_id, one.id)
        return self._launching.ensure(key, wait_seconds=0.0, dead=turn.execution) is not None
