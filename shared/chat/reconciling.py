"""The sweep over turns: one that nobody works on and no living execution watches over gets an execution."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

from shared.chat.holding import Key
from shared.chat.launching import LaunchHeld, Launching
from shared.chat.ports import Ports
from shared.contracts.research import SweepAnswer
from shared.errors import MemexError
from shared.store.system import FoundTurn, SystemStore

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
        """One bounded pass over all workspaces; safe to run twice at once. Raises Transient only for its query."""
        begun, swept = self._ports.now(), SweptTurns()
        for one in self._system().stale_turns(begun - _STALE, _TURNS):
            if self._ports.now() - begun > timedelta(seconds=_BUDGET_SECONDS):
                swept.out_of_time = True
                break
            try:
                swept.launched += self._mended(one)
            except LaunchHeld:
                continue
            except MemexError as error:
                log.warning("sweep: turn %s/%r: %s", one.workspace, one.id, error.message)
                swept.failures.append(f"{one.workspace}/{one.id}: {error.code}")
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
