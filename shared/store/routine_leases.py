"""leases/routine-{kind}-{period}: who is writing the note of a period, and whether that is done."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta

from shared.contracts.routines import RoutineKind, RoutineLease
from shared.errors import Transient
from shared.store import paths
from shared.store.changing import Change, Changing
from shared.store.documents import parsed
from shared.store.writes import Snapshot

log = logging.getLogger(__name__)

KEPT = timedelta(days=30)
"""Much longer than a period is made up for."""


@dataclass(frozen=True)
class HeldPeriod:
    """A period in the hands of one run, as the one before left it."""

    path: str
    writer: str
    without_model: bool


class RoutineLeases:
    def __init__(self, changing: Changing) -> None:
        self._changing = changing

    def take(self, kind: RoutineKind, period: str, seconds: float, *, again: bool) -> HeldPeriod | None:
        """Hold the period for so long; None while another run holds it, or when it is done and not wanted `again`.

        Raises Transient, Malformed.
        """
        path = paths.routine_lease(kind.value, period)

        def decide(current: Snapshot) -> Change | None:
            lease = parsed(RoutineLease, current.fields or {}, path)
            if lease.held_until is not None and lease.held_until > current.read_time:
                return None
            if lease.done and not again:
                return None
            moments = {"held_until": current.read_time + timedelta(seconds=seconds)}
            return Change(lease.model_dump() | moments | {"expire_at": current.read_time + KEPT})

        changed = self._changing.change(path, decide, point="routine.lease")
        if not changed.changed:
            return None
        fields = changed.fields or {}
        return HeldPeriod(path, str(fields["last_writer"]), bool(fields["without_model"]))

    def give_back(self, held: HeldPeriod, *, done: bool, without_model: bool) -> None:
        """Let the next run have it at once, and know how this one ended. One that cannot be written runs out."""

        def decide(current: Snapshot) -> Change | None:
            if (current.fields or {}).get("last_writer") != held.writer:
                return None  # it ran out, and is another's
            return Change({"held_until": None, "done": done, "without_model": without_model})

        try:
            self._changing.change(held.path, decide, point="routine.give_back")
        except Transient as error:
            log.warning("%s runs out by itself: %s", held.path, error.message)
