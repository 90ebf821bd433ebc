"""A note was written: does its research begin, go on, or lose its tag?"""

from __future__ import annotations

import logging

from shared.errors import Transient
from shared.ids import derived
from shared.operations.launch import LaunchHeld
from shared.operations.launching import Launching
from shared.research.filling import fill_in
from shared.research.opening import Tagging, open_operation, rfc3339
from shared.research.planning.lapsing import untagged
from shared.research.ports import Ports
from shared.research.tags import plan_wanted, researched, wanted
from shared.store.errors import Contention
from shared.trigger import Change

log = logging.getLogger(__name__)

_CLAIM_TRIES = 5


class Triggering:
    def __init__(self, ports: Ports, launching: Launching) -> None:
        self._ports, self._launching = ports, launching

    def note_written(self, change: Change) -> None:
        """Deal with one write of a note, delivered at least once and in any order. Raises Transient."""
        if change.new is None or change.update_time is None:
            return
        fill_in(self._ports, change)
        had, has = researched(change.old), researched(change.new)
        if has and not had:
            self._tagged(change)
        elif had and not has:
            self._untagged(change)
            self._drop_plan(change)

    def _tagged(self, change: Change) -> None:
        assert change.update_time is not None
        reading = self._ports.store(change.workspace).notes.find(change.id)
        if reading is None or not wanted(reading):
            log.info("note %s/%r is no longer to be researched", change.workspace, change.id)
            return
        back = change.old is None and "restored_at" in (change.new or {})  # from the trash: not a new tagging
        plan = plan_wanted(reading)
        tagging = Tagging(change.workspace, change.id, reading.name, change.update_time, inferred=back, plan=plan)
        opened = open_operation(self._ports, tagging)
        if opened is None:
            self._resume(change)
        elif opened.new:
            self._launching.start(change.workspace, opened.operation)

    def _resume(self, change: Change) -> None:
        """This event again: if its operation could not be started then, start it now, unless another is doing so."""
        assert change.update_time is not None
        mine = derived("op", change.workspace, change.id, rfc3339(change.update_time))
        held = self._ports.store(change.workspace).claims.read(change.id)
        if held.claim.operation_id != mine:
            return
        try:
            self._launching.ensure(change.workspace, mine)
        except LaunchHeld:
            return  # on_work_created comes again for it

    def _drop_plan(self, change: Change) -> None:
        """A plan that waits for a note that is not to be researched any more is wanted no more."""
        store = self._ports.store(change.workspace)
        reading, operation_id = store.notes.find(change.id), store.claims.read(change.id).claim.operation_id
        if operation_id is not None and reading is not None and not wanted(reading):
            untagged(self._ports, change.workspace, operation_id)

    def _untagged(self, change: Change) -> None:
        """Remember since when the tag is off, so that a later tagging is known as one even if its event is lost."""
        assert change.update_time is not None
        claims = self._ports.store(change.workspace).claims
        for _ in range(_CLAIM_TRIES):
            held = claims.read(change.id)
            known = held.claim.untagged_at
            if held.update_time is None or (known is not None and change.update_time <= known):
                return
            moved = held.claim.model_copy(update={"untagged_at": change.update_time})
            try:
                claims.save(held, moved, point="claim.untagged")
                return
            except Contention:
                continue
        raise Transient("The note's research changes faster than it can be read: try again.")
