"""The sweep over brains: jobs whose worker was lost, and queues that nobody drains."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from shared.brain.launching import Launching
from shared.brain.ports import Ports
from shared.brain.sweeping import Sweeping
from shared.contracts.research import SweepAnswer
from shared.store.errors import Contention
from shared.store.system import Found, SystemStore
from shared.sweeping import Swept

_BUDGET_SECONDS = 60.0


class BrainReconciler:
    def __init__(self, ports: Ports, system: Callable[[], SystemStore], launching: Launching) -> None:
        self._ports, self._system, self._launching = ports, system, launching
        self._sweeping = Sweeping(ports)

    def sweep(self) -> SweepAnswer:
        """One bounded pass over all workspaces; safe to run twice at once. Raises Transient only for its queries."""
        end, swept = self._ports.now() + timedelta(seconds=_BUDGET_SECONDS), Swept()
        for job in self._system().lost_jobs(self._ports.now()):
            if swept.over(self._ports.now(), end):
                break
            with swept.noting(job, busy=Contention):
                swept.count("jobs", self._sweeping.job(job.workspace, job.id))
        for one in self._undrained():
            if swept.over(self._ports.now(), end):
                break
            with swept.noting(one, busy=Contention):
                allowed = self._launching.allowed(one.workspace)
                swept.count("drains", allowed and self._launching.ensure(one.workspace, doubting=True))
        return swept.answer()

    def _undrained(self) -> list[Found]:
        """One waiting job of each workspace that has any; those it is not the turn of are seen the next time."""
        return list({one.workspace: one for one in self._system().waiting_jobs()}.values())
