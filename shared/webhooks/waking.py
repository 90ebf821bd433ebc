"""The service has told that there is something to look at: it is noted with the operation, and who waits is woken.

Noted first: a wake that finds nobody waiting, or that gets lost on its last way, is then seen by the next answer to the
workflow. What is noted is that it came, and nothing of what it said.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from shared.clock import Clock
from shared.config import Settings
from shared.contracts.operations import Operation, OperationStatus
from shared.errors import Forbidden, Transient, WorkspaceClosed
from shared.faultpoint import faultpoint
from shared.ids import derived
from shared.operations.callbacks import callback_of
from shared.store.errors import Malformed
from shared.store.operations import OperationChange
from shared.store.streams import Append
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Snapshot

if TYPE_CHECKING:
    from shared.store.system import Found, SystemStore

log = logging.getLogger(__name__)

_WAITING = OperationStatus.RUNNING
UNDER_WAY_SECONDS = 10.0
"""For so long another copy of the same webhook must be supposed to be on its way to the execution."""


class CallbacksPort(Protocol):
    def wake(self, url: str) -> None:
        """Raises Transient, Forbidden."""


class Waking:
    def __init__(
        self,
        store: Callable[[str], WorkspaceStore],
        system: Callable[[], SystemStore],
        callbacks: CallbacksPort,
        settings: Settings,
        clock: Clock,
    ) -> None:
        self._store, self._system, self._callbacks = store, system, callbacks
        self._settings, self._clock = settings, clock

    def told(self, names: Sequence[str], interaction_id: str) -> None:
        """Wake the execution that waits for the interaction; an interaction that is not waited for is nothing.

        A webhook that is known by one of its names does nothing once it has been looked at. Raises Transient when it
        had better come again.
        """
        for found in self._system().operations_of_interaction(interaction_id):
            try:
                self._told(found, names, interaction_id)
            except Malformed as error:  # one that cannot be read waits for nothing, and keeps nobody else from it
                log.warning("not woken: %s", error.message)

    def _told(self, found: Found, names: Sequence[str], interaction_id: str) -> None:
        try:
            change = self._note(found, names, interaction_id)
        except WorkspaceClosed:
            return
        operation = change.operation if change.changed else self._store(found.workspace).operations.get(found.id)
        url = callback_of(operation, self._settings)
        if operation.status is not _WAITING or operation.wakes <= operation.wakes_seen or url is None:
            return
        if not change.changed and self._is_under_way(operation):
            raise Transient("The same webhook is just being dealt with.", retry_after_seconds=UNDER_WAY_SECONDS)
        self._wake(operation, url)

    def _note(self, found: Found, names: Sequence[str], interaction_id: str) -> OperationChange:
        """One commit of the wake and of the webhook's names; nothing where one is known, or the interaction over."""
        store, keys = self._store(found.workspace), [derived("webhook", name) for name in names]

        def decide(operation: Operation | None, current: Snapshot) -> Append | None:
            if operation is None or operation.status is not _WAITING or operation.interaction_id != interaction_id:
                return None
            if any(store.effects.find(key) is not None for key in keys):
                return None
            update = {"wakes": operation.wakes + 1, "woken_at": current.read_time}
            markers = tuple(store.effects.marker(key, {"operation_id": operation.id}) for key in keys)
            return Append(update, also=markers)

        return store.operations.append(found.id, decide, point="operation.woken")

    def _is_under_way(self, operation: Operation) -> bool:
        if operation.woken_at is None:
            return False
        return abs((self._clock.now() - operation.woken_at).total_seconds()) < UNDER_WAY_SECONDS

    def _wake(self, operation: Operation, url: str) -> None:
        faultpoint("before_call:callbacks.wake")
        try:
            self._callbacks.wake(url)
        except Forbidden as error:  # the next answer to the workflow says it all the same
            log.error("operation %s: its execution cannot be woken: %s", operation.id, error.message)
        faultpoint("after_call:callbacks.wake")
