"""Documents, put together: what the API, the functions and the tools call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shared.contracts.documents import (
    Document,
    DocumentStatus,
    ExtractStartAnswer,
    ExtractStartRequest,
    ExtractStepAnswer,
    ExtractStepRequest,
    UploadAnswer,
    UploadCreate,
)
from shared.contracts.limits import DOCUMENT_STREAM_BYTES
from shared.contracts.operations import Failure
from shared.documents.admission import Admission
from shared.documents.deleting import Deleting
from shared.documents.extracting import Extracting
from shared.documents.mending import Mending
from shared.documents.ports import Ports, artifact, original
from shared.documents.receiving import File, Received, Receiving
from shared.errors import Conflict, InputError, NotFound
from shared.store.system import SystemStore

_FETCH_SECONDS = 600.0


@dataclass(frozen=True)
class Content:
    """The file of a document: an address to fetch it from, or its bytes."""

    document: Document
    address: str | None
    pieces: Iterator[bytes]


class Documents:
    """Every transition of a document, each in a module of its own."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self.admission = Admission()
        self._receiving = Receiving(ports)
        self._extracting = Extracting(ports)
        self._deleting = Deleting(ports)
        self._mending = Mending(ports, self._receiving, self._deleting)

    def receive(self, workspace: str, file: File) -> Received:
        """See Receiving.receive."""
        return self._receiving.receive(workspace, file)

    def ask_for_upload(self, workspace: str, wanted: UploadCreate, key: str | None) -> tuple[UploadAnswer, bool]:
        """See Receiving.ask_for_upload."""
        return self._receiving.ask_for_upload(workspace, wanted, key)

    def complete(self, workspace: str, document_id: str) -> Document:
        """See Receiving.complete."""
        return self._receiving.complete(workspace, document_id)

    def get(self, workspace: str, document_id: str) -> Document:
        """Raises NotFound."""
        return self._as_it_is(workspace, self._ports.store(workspace).documents.get(document_id))

    def list(self, workspace: str, *, limit: int, cursor: str | None = None) -> tuple[tuple[Document, ...], str | None]:
        """A page, newest first, and the cursor of the next. Raises InputError for a cursor that is none."""
        found, next_cursor = self._ports.store(workspace).documents.list(limit=limit, cursor=cursor)
        return tuple(self._as_it_is(workspace, one) for one in found), next_cursor

    def content(self, workspace: str, document_id: str) -> Content:
        """The file itself. Raises NotFound, Conflict while it has not arrived."""
        document = self._ports.store(workspace).documents.get(document_id)
        if document.status is DocumentStatus.UPLOADING:
            raise Conflict("The file has not arrived yet.")
        objects, name = self._ports.objects, original(workspace, document_id)
        if document.bytes > DOCUMENT_STREAM_BYTES and objects.signs:
            return Content(document, objects.sign(name, "GET", _FETCH_SECONDS), iter(()))
        objects.size(name)  # so that a file that is gone is told before the first byte
        return Content(document, None, objects.chunks(name))

    def artifact(self, workspace: str, document_id: str, name: str) -> Iterator[bytes]:
        """Something made from a document, such as a plot, piece by piece. Raises NotFound."""
        self._ports.store(workspace).documents.get(document_id)
        place = artifact(workspace, document_id, name)
        try:
            self._ports.objects.size(place)
        except (NotFound, InputError) as error:
            raise NotFound(f"The document has no artifact {name}.") from error
        return self._ports.objects.chunks(place)

    def delete(self, workspace: str, document_id: str) -> None:
        """See Deleting.delete."""
        self._deleting.delete(workspace, document_id)

    def sweep(self, system: SystemStore) -> int:
        """See Mending.sweep."""
        return self._mending.sweep(system)

    def start(self, request: ExtractStartRequest) -> ExtractStartAnswer:
        """See Extracting.start."""
        return self._extracting.start(request)

    def step(self, request: ExtractStepRequest) -> ExtractStepAnswer:
        """See Extracting.step."""
        return self._extracting.step(request)

    def _as_it_is(self, workspace: str, document: Document) -> Document:
        """An extraction that was cancelled, or given up by its workflow, has ended its document too."""
        if document.status is not DocumentStatus.EXTRACTING or document.operation_id is None:
            return document
        operation = self._ports.store(workspace).operations.find(document.operation_id)
        if operation is None or not operation.status.terminal:
            return document
        found = self._ports.store(workspace).documents.get(document.id)
        if found.status is not DocumentStatus.EXTRACTING:
            return found
        error = operation.error or Failure(code="cancelled", message="The extraction was cancelled.")
        return found.model_copy(update={"status": DocumentStatus.FAILED, "error": error})
