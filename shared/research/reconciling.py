"""The sweep: what was committed and never started, whose execution died, what a cancel left running, tagged notes
without an operation.

Each mending goes through the same guarded steps as the fast path.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import timedelta

from shared.contracts.operations import Operation
from shared.contracts.research import SweepAnswer
from shared.errors import MemexError, NotFound
from shared.research.filling import fill_in_unseen
from shared.research.launching import Launching, LeaseHeld
from shared.research.opening import Tagging, handled, note_now, open_operation, tag_handled
from shared.research.ports import Ports
from shared.research.stopping import Stopping
from shared.research.tags import wanted
from shared.store.system import Found, SystemStore

log = logging.getLogger(__name__)

_STALE = timedelta(minutes=1)
_OPERATIONS = 500
_NEWEST_NOTES = 200
_NOTES = 500
_UNLISTED_NOTES = 300
_NEWEST = timedelta(days=1)
_FAILURES = 50
_BUDGET_SECONDS = 200.0


@dataclass
class Mended:
    """How many of each kind one sweep mended; `failed` counts what could not be and stays for the next sweep."""

    launched: int = 0
    relaunched: int = 0
    stopped: int = 0
    opened: int = 0
    filled: int = 0
    failed: int = 0
    out_of_time: bool = False
    failures: list[str] = field(default_factory=list)

    def answer(self) -> SweepAnswer:
        return SweepAnswer(**{**asdict(self), "failures": tuple(self.failures[:_FAILURES])})


class Reconciler:
    def __init__(
        self, ports: Ports, system: Callable[[], SystemStore], launching: Launching, stopping: Stopping
    ) -> None:
        self._ports, self._system = ports, system
        self._launching, self._stopping = launching, stopping

    def sweep(self) -> SweepAnswer:
        """One bounded pass over all workspaces; safe to run twice at once. Raises Transient only for its queries."""
        mended = Mended()
        self._sweep(mended)
        return mended.answer()

    def _sweep(self, mended: Mended) -> None:
        begun = self._ports.now()
        system = self._system()
        passes = (
            (self._stop, system.half_cancelled_operations(_OPERATIONS)),
            (self._revive, system.stale_operations(begun - _STALE, _OPERATIONS)),
            (self._open, system.newest_tagged_notes(begun - _NEWEST, begun, _NEWEST_NOTES)),
            (self._open, system.tagged_notes(_NOTES)),
            (self._fill, system.unlisted_notes(_UNLISTED_NOTES)),
        )
        for number, (mend, found) in enumerate(passes, 1):
            # Each has its share of the time, so that none keeps those after it from their turn for ever.
            until = begun + timedelta(seconds=_BUDGET_SECONDS * number / len(passes))
            for one in found:
                if self._ports.now() >= until:
                    mended.out_of_time = True
                    break
                self._guarded(mend, one, mended)

    def _guarded(self, mend: Callable[[Found, Mended], None], one: Found, mended: Mended) -> None:
        """One thing that cannot be mended must not keep the others from it."""
        try:
            mend(one, mended)
        except LeaseHeld:
            return  # its start is under way
        except MemexError as error:
            log.warning("sweep: %s/%r: %s", one.workspace, one.id, error.message)
            mended.failed += 1
            mended.failures.append(f"{one.workspace}/{one.id}: {error.code}")
        except Exception:  # noqa: BLE001 - each thing is an edge of its own: whatever it was, it is logged and counted
            log.exception("sweep: %s/%r", one.workspace, one.id)
            mended.failed += 1
            mended.failures.append(f"{one.workspace}/{one.id}: internal")

    def _stop(self, one: Found, mended: Mended) -> None:
        operation = self._stopping.finish(one.workspace, one.id)
        mended.stopped += not operation.cancel_pending
        mended.failed += operation.cancel_pending

    def _revive(self, one: Found, mended: Mended) -> None:
        operation = self._ports.store(one.workspace).operations.get(one.id)
        if operation.execution is None:
            self._count(self._launching.ensure(one.workspace, one.id), "launched", mended)
        elif not self._ports.executions.alive(operation.execution):
            again = self._launching.ensure(one.workspace, one.id, dead=operation.execution)
            self._count(again, "relaunched", mended)

    @staticmethod
    def _count(operation: Operation, what: str, mended: Mended) -> None:
        name = "failed" if operation.status.terminal else what
        setattr(mended, name, getattr(mended, name) + 1)

    def _fill(self, one: Found, mended: Mended) -> None:
        """A note that another client wrote and whose event nobody got."""
        mended.filled += fill_in_unseen(self._ports, one.workspace, one.id, self._ports.now() - _STALE)

    def _open(self, one: Found, mended: Mended) -> None:
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
        tagging = Tagging(one.workspace, one.id, now.reading.name, now.update_time, inferred=True)
        opened = open_operation(self._ports, tagging)
        if opened is not None and opened.new:
            self._launching.start(one.workspace, opened.operation)
            mended.opened += 1
