"""The sweep: what was committed and never started, whose execution died, what a cancel left running, plans
that nobody decides on, tagged notes without an operation.

Each mending goes through the same guarded steps as the fast path.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from shared.contracts.operations import Operation
from shared.contracts.research import SweepAnswer
from shared.errors import NotFound
from shared.operations.launch import LaunchHeld
from shared.operations.launching import Launching
from shared.operations.stopping import Stopping
from shared.operations.waiting import waits
from shared.research.filling import fill_in_unseen
from shared.research.opening import Tagging, handled, note_now, open_operation, tag_handled
from shared.research.planning.lapsing import expire
from shared.research.ports import Ports
from shared.research.tags import plan_wanted, wanted
from shared.store.system import Found, SystemStore
from shared.sweeping import Swept

_STALE = timedelta(minutes=1)
_OPERATIONS = 500
_NEWEST_NOTES = 200
_NOTES = 500
_UNLISTED_NOTES = 300
_NEWEST = timedelta(days=1)
_BUDGET_SECONDS = 150.0
"""With what the other sweeps take it stays below the function's 300 seconds."""


class Reconciler:
    def __init__(
        self, ports: Ports, system: Callable[[], SystemStore], launching: Launching, stopping: Stopping
    ) -> None:
        self._ports, self._system = ports, system
        self._launching, self._stopping = launching, stopping

    def sweep(self) -> SweepAnswer:
        """One bounded pass over all workspaces; safe to run twice at once. Raises Transient only for its queries."""
        swept, begun = Swept(), self._ports.now()
        system = self._system()
        passes = (
            (self._stop, system.half_cancelled_operations(_OPERATIONS)),
            (self._revive, system.stale_operations(begun - _STALE, _OPERATIONS)),
            (self._expire, system.waiting_operations(begun - self._kept, _OPERATIONS)),
            (self._open, system.newest_tagged_notes(begun - _NEWEST, begun, _NEWEST_NOTES)),
            (self._open, system.tagged_notes(_NOTES)),
            (self._fill, system.unlisted_notes(_UNLISTED_NOTES)),
        )
        for number, (mend, found) in enumerate(passes, 1):
            # Each has its share of the time, so that none keeps those after it from their turn for ever.
            until = begun + timedelta(seconds=_BUDGET_SECONDS * number / len(passes))
            for one in found:
                if swept.over(self._ports.now(), until):
                    break
                with swept.noting(one, busy=LaunchHeld):
                    mend(one, swept)
        return swept.answer()

    @property
    def _kept(self) -> timedelta:
        return timedelta(days=self._ports.settings.research_plan_days)

    def _expire(self, one: Found, swept: Swept) -> None:
        swept.count("expired", expire(self._ports, one.workspace, one.id))

    def _stop(self, one: Found, swept: Swept) -> None:
        operation = self._stopping.finish(one.workspace, one.id)
        swept.count("failed" if operation.cancel_pending else "stopped")

    def _revive(self, one: Found, swept: Swept) -> None:
        operation = self._ports.store(one.workspace).operations.get(one.id)
        if operation.execution is None:
            self._count(self._launching.ensure(one.workspace, one.id), "launched", swept)
        elif not self._ports.executions.alive(operation.execution):
            again = self._launching.ensure(one.workspace, one.id, dead=operation.execution)
            self._count(again, "relaunched", swept)

    @staticmethod
    def _count(operation: Operation, what: str, swept: Swept) -> None:
        if not waits(operation):
            swept.count("failed" if operation.status.terminal else what)

    def _fill(self, one: Found, swept: Swept) -> None:
        """A note that another client wrote and whose event nobody got."""
        swept.count("filled", fill_in_unseen(self._ports, one.workspace, one.id, self._ports.now() - _STALE))

    def _open(self, one: Found, swept: Swept) -> None:
        """A tagged note whose tagging nobody has dealt with: its event was lost, or not yet delivered."""
        claim = self._ports.store(one.workspace).claims.read(one.id).claim
        if tag_handled(claim):
            return
        try:
            now = note_now(self._ports, one.workspace, one.id)
        except NotFound:
            return
        young = self._ports.now() - now.update_time < _STALE
        if young or not wanted(now.reading) or handled(claim, now.update_time):
            return
        if claim.untagged_at is not None and now.update_time <= claim.untagged_at:
            return  # the index still shows the note as it was
        plan = plan_wanted(now.reading)
        tagging = Tagging(one.workspace, one.id, now.reading.name, now.update_time, inferred=True, plan=plan)
        opened = open_operation(self._ports, tagging)
        if opened is not None and opened.new:
            self._launching.start(one.workspace, opened.operation)
            swept.count("opened")
