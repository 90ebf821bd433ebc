"""Extraction: what workflows/extract.yaml asks for. A step reads some slices, and commits each of them at once.

A slice's commit has the pieces, the document's new position, and an event in the operation; the last one ends the
operation too. So a worker that dies between two of them has lost nothing, and the next goes on where the record stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from shared.contracts.documents import (
    Document,
    DocumentStatus,
    ExtractStartAnswer,
    ExtractStartRequest,
    ExtractStepAnswer,
    ExtractStepRequest,
)
from shared.contracts.events import EventType
from shared.contracts.operations import Operation, OperationStatus
from shared.documents.fetching import fetched
from shared.documents.indexing import indexed
from shared.documents.ports import Ports, original
from shared.documents.refusals import Refused
from shared.documents.slicing import Slice, fields_of, next_slice, with_digest
from shared.documents.source import Source
from shared.errors import NotFound, SpendingPaused
from shared.gateway.sandbox import WorkerDied
from shared.gateway.transport import Cut
from shared.operations.ending import Ending, Last, closing
from shared.operations.waiting import wait
from shared.store import guards
from shared.store.document_records import changing
from shared.store.operations import OperationChange
from shared.store.streams import Append
from shared.store.writes import Snapshot, Write

STEP_TIME = timedelta(seconds=60)
"""No further slice is begun in a request after this: with the longest one it still answers in time."""
_NO_TEXT = "There is no text in it; pictures of pages cannot be read."


@dataclass(frozen=True)
class _Work:
    """One step on one document."""

    workspace: str
    operation: Operation
    fence: int


class Extracting:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def start(self, request: ExtractStartRequest) -> ExtractStartAnswer:
        """Take the operation over for the calling execution. The same call again gives the same. Raises NotFound."""
        operation, mine = self._ports.engine.claim(request.workspace, request.operation_id, request.execution)
        return ExtractStartAnswer(status="running" if mine else "superseded", fence=operation.fence)

    def step(self, request: ExtractStepRequest) -> ExtractStepAnswer:
        """Go on with the document for about a minute. Raises Transient when to call again."""
        store = self._ports.store(request.workspace)
        operation = store.operations.get(request.operation_id)
        if operation.status.terminal:
            return ExtractStepAnswer(status=operation.status)
        work = _Work(request.workspace, operation, request.fence)
        try:
            return ExtractStepAnswer(status=self._on(work))
        except guards.FenceLost:
            return ExtractStepAnswer(status="superseded")
        except SpendingPaused:
            wait(self._ports.engine.ports, request.workspace, request.operation_id, launched=True)
            return ExtractStepAnswer(status="paused")
        except guards.StreamEnded:
            return ExtractStepAnswer(status=store.operations.get(request.operation_id).status)

    def _on(self, work: _Work) -> OperationStatus:
        document = self._wanted(work)
        if document is None:
            return self._end(work, Ending.cancelled("document_gone", "The document was deleted meanwhile."))
        try:
            with fetched(self._ports.objects, original(work.workspace, document.id)) as (path, sha256):
                return self._slices(work, document, Source(path, document.type, self._ports.workers, Cut()), sha256)
        except (Refused, WorkerDied) as why:
            reason = why.reason if isinstance(why, Refused) else "unreadable"
            return self._end(work, Ending.failed(reason, why.message), document)
        except NotFound as missing:
            return self._end(work, Ending.failed("file_gone", f"The file is gone: {missing.message}"), document)

    def _wanted(self, work: _Work) -> Document | None:
        document = self._ports.store(work.workspace).documents.look(work.operation.document_id or "")
        return None if document is None or document.deleting else document

    def _slices(self, work: _Work, document: Document, source: Source, sha256: str) -> OperationStatus:
        until = self._ports.now() + STEP_TIME
        while True:
            found = with_digest(next_slice(document, source), sha256)
            change = self._commit(work, document, found)
            if not change.changed or change.operation.status.terminal or self._ports.now() >= until:
                return change.operation.status
            document = found.document

    def _commit(self, work: _Work, before: Document, found: Slice) -> OperationChange:
        """Store the slice if the document still stands where it began, and end the operation with the last one."""
        writes = indexed(before, found.chunks, self._ports.embedder)
        ending = self._ending(found) if found.ended else None

        def decide(operation: Operation | None, snapshot: Snapshot) -> Append | None:
            now = self._checked(work, operation, snapshot)
            document = self._wanted(work)
            if document is None or document.position != before.position or document.status.value != "extracting":
                return None  # what this would write is there, or nobody wants it: the next look tells
            event = self._ports.engine.ports.event(EventType.EXTRACTED, **_told(found))
            if ending is None:
                fields = fields_of(found.document) | {"updated_at": self._ports.now()}
                return Append({"updated_at": self._ports.now()}, (event,), (*writes, changing(before.id, fields)))
            append = closing(self._ports.engine.ports, now, ending, Last({}, (event,)))
            return replace(append, also=(*append.also, *writes, self._ended(found.document, ending)))

        operations = self._ports.store(work.workspace).operations
        return operations.append(work.operation.id, decide, point="extract.slice")

    @staticmethod
    def _ending(found: Slice) -> Ending:
        document = found.document
        if not document.characters:
            return Ending.failed("no_text", _NO_TEXT)
        data = {"document_id": document.id, "chunks": document.chunks, "problems": len(document.problems)}
        return Ending(OperationStatus.COMPLETED, data=tuple(data.items()))

    def _end(self, work: _Work, ending: Ending, document: Document | None = None) -> OperationStatus:
        """End the operation and, where there is one, its document."""

        def decide(operation: Operation | None, snapshot: Snapshot) -> Append | None:
            append = closing(self._ports.engine.ports, self._checked(work, operation, snapshot), ending)
            if document is None or self._wanted(work) is None:
                return append
            return replace(append, also=(*append.also, self._ended(document, ending)))

        operations = self._ports.store(work.workspace).operations
        return operations.append(work.operation.id, decide, point="extract.end").operation.status

    def _ended(self, document: Document, ending: Ending) -> Write:
        ready = ending.status is OperationStatus.COMPLETED
        status = DocumentStatus.READY if ready else DocumentStatus.FAILED
        error = ending.failure.model_dump() if ending.failure else None
        fields = {"status": status.value, "error": error, "updated_at": self._ports.now()}
        return changing(document.id, fields_of(document) | fields)

    @staticmethod
    def _checked(work: _Work, operation: Operation | None, snapshot: Snapshot) -> Operation:
        if operation is None:
            raise NotFound(f"There is no operation {work.operation.id}.")
        guards.running(snapshot.fields or {})
        guards.fenced(snapshot.fields or {}, work.fence)
        return operation


def _told(found: Slice) -> Mapping[str, Any]:
    document = found.document
    return {
        "document_id": document.id,
        "parts": min(document.position.part, found.parts),
        "of": found.parts,
        "chunks": document.chunks,
        "characters": document.characters,
        "problems": len(document.problems),
    }
