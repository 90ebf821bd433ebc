"""The sweep over runs: one that no living execution drives gets another, and a chat is told what it was not told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from shared.contracts.research import SweepAnswer
from shared.operations.launch import LaunchHeld
from shared.runs.answering_chat import tell_session
from shared.runs.launching import Launching
from shared.runs.ports import Key, Ports
from shared.store.system import SystemStore
from shared.sweeping import Swept

_STALE = timedelta(minutes=1)
_RUNS = 200
_BUDGET_SECONDS = 60.0


class RunReconciler:
    def __init__(self, ports: Ports, system: Callable[[], SystemStore], launching: Launching) -> None:
        self._ports, self._system, self._launching = ports, system, launching

    def sweep(self) -> SweepAnswer:
        """One bounded pass over all workspaces; safe to run twice at once. Raises Transient only for its queries."""
        end, swept = self._ports.now() + timedelta(seconds=_BUDGET_SECONDS), Swept()
        for run in self._system().stale_runs(self._ports.now() - _STALE, _RUNS):
            if swept.over(self._ports.now(), end):
                break
            with swept.noting(run, busy=LaunchHeld):
                swept.count("runs", self._mended(Key(run.workspace, run.id)))
        for run in self._system().untold_runs():
            if swept.over(self._ports.now(), end):
                break
            with swept.noting(run, busy=LaunchHeld):
                key = Key(run.workspace, run.id)
                tell_session(self._ports, key, self._ports.store(run.workspace).runs.get(run.id))
        return swept.answer()

    def _mended(self, key: Key) -> bool:
        """Whether an execution was started for it."""
        run = self._ports.store(key.workspace).runs.find(key.run_id)
        if run is None or run.status.terminal:
            return False
        if run.execution is not None and self._ports.executions.alive(run.execution):
            return False
        return self._launching.ensure(key, dead=run.execution)
