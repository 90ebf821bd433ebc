"""The sweep over documents: deletions that broke off, and uploads that nobody reported."""

from __future__ import annotations

import logging
from collections.abc import Callable

from shared.documents.deleting import Deleting
from shared.documents.ports import Ports
from shared.documents.receiving import Receiving
from shared.documents.refusals import Refused
from shared.errors import Conflict, MemexError
from shared.store.system import Found, SystemStore

log = logging.getLogger(__name__)


class Mending:
    def __init__(self, ports: Ports, receiving: Receiving, deleting: Deleting) -> None:
        self._ports, self._receiving, self._deleting = ports, receiving, deleting

    def sweep(self, system: SystemStore) -> int:
        """Finish what was begun: how many documents. Bounded; goes on the next time."""
        finished = sum(self._guarded(self._finish_deletion, one) for one in system.half_deleted_documents())
        return finished + sum(self._guarded(self._settle, one) for one in system.expired_uploads(self._ports.now()))

    @staticmethod
    def _guarded(mend: Callable[[Found], None], one: Found) -> bool:
        """One document that cannot be mended keeps no other from it."""
        try:
            mend(one)
        except MemexError as error:
            log.warning("document %s/%r: %s", one.workspace, one.id, error.message)
            return False
        return True

    def _finish_deletion(self, one: Found) -> None:
        self._deleting.delete(one.workspace, one.id)

    def _settle(self, one: Found) -> None:
        """The bytes may have come without anyone saying so; else they will not come any more."""
        try:
            self._receiving.complete(one.workspace, one.id)
        except Refused:
            return  # and it has failed, visibly
        except Conflict:
            late = Refused("not_uploaded", "The file did not arrive in time: put it in again.")
            self._receiving.give_up(one.workspace, one.id, late)
