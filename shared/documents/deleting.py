"""Deleting a document: marked first, then its extraction is stopped, its objects and its text go, and its record last.

Each step may be repeated; what breaks off is finished by the same call again, or by the sweep.
"""

from __future__ import annotations

from shared.contracts.documents import Document
from shared.documents.ports import Ports, folder
from shared.errors import NotFound
from shared.store.changing import Change
from shared.store.writes import Snapshot

_AT_ONCE = 300


class Deleting:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def delete(self, workspace: str, document_id: str) -> None:
        """Take the document away with all that belongs to it; one that is not there is well. Raises Transient."""
        store = self._ports.store(workspace)
        found = store.documents.look(document_id)
        if found is None:
            return
        store.documents.change(document_id, self._marked, point="document.delete")
        if found.operation_id is not None:
            self._stop(workspace, found.operation_id)
        if self._ports.files is not None:
            objects = self._ports.objects
            for one in list(objects.list(folder(workspace, document_id))):
                objects.delete(one.name)
        while store.chunks.remove_some(document_id, _AT_ONCE):
            pass
        while store.summaries.remove_some(document_id, _AT_ONCE):
            pass
        store.documents.remove(document_id)

    def _marked(self, document: Document | None, _found: Snapshot) -> Change | None:
        if document is None or document.deleting:
            return None
        return Change({"deleting": True, "upload_expires_at": None, "updated_at": self._ports.now()})

    def _stop(self, workspace: str, operation_id: str) -> None:
        try:
            self._ports.engine.cancel(workspace, operation_id)
        except NotFound:
            return
