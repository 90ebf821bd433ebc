"""The sweep over chats: a turn that nobody works on and no living execution watches over gets an execution, and a
session whose deletion broke off is removed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from shared.chat.holding import Key
from shared.chat.launching import Launching
from shared.chat.ports import Ports
from shared.contracts.research import SweepAnswer
from shared.operations.launch import LaunchHeld
from shared.store.system import FoundTurn, SystemStore
from shared.sweeping import Swept

_STALE = timedelta(minutes=1)
_TURNS = 200
_BUDGET_SECONDS = 60.0


class TurnReconciler:
    def __init__(self, ports: Ports, system: Callable[[], SystemStore], launching: Launching) -> None:
        self._ports, self._system, self._launching = ports, system, launching

    def sweep(self) -> SweepAnswer:
        """One bounded pass over all workspaces; safe to run twice at once. Raises Transient only for its queries."""
        end, swept = self._ports.now() + timedelta(seconds=_BUDGET_SECONDS), Swept()
        for turn in self._system().stale_turns(self._ports.now() - _STALE, _TURNS):
            if swept.over(self._ports.now(), end):
                break
            with swept.noting(turn, busy=LaunchHeld):
                swept.count("turns", self._mended(turn))
        for session in self._system().half_deleted_sessions():
            if swept.over(self._ports.now(), end):
                break
            with swept.noting(session, busy=LaunchHeld):
                self._ports.store(session.workspace).chats.remove(session.id)
        return swept.answer()

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
