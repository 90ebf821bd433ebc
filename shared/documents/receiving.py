"""Receiving a file: its record first, then its bytes, then, in one commit, the operation that extracts it.

Whatever breaks off in between is seen: the record says `uploading`, and the same request again, or the sweep, goes on.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from shared.contracts.documents import Document, DocumentStatus, DocumentType, UploadAnswer, UploadCreate
from shared.contracts.events import EventType
from shared.contracts.limits import DOCUMENT_BYTES, DOCUMENT_DIRECT_BYTES, DOCUMENT_NAME_CHARACTERS
from shared.contracts.operations import EXTRACT_DOCUMENT, Failure, Operation
from shared.documents.kinds import CONTENT_TYPES, HEAD_BYTES, kind_of
from shared.documents.ports import Ports, operation_of, original
from shared.documents.refusals import Refused
from shared.errors import Conflict, MemexError, NotFound, Unprocessable
from shared.ids import derived
from shared.printable import printable
from shared.store.changing import Change
from shared.store.document_records import changing
from shared.store.operations import stored
from shared.store.streams import Append
from shared.store.writes import Snapshot

log = logging.getLogger(__name__)

UPLOAD_TIME = timedelta(hours=1)
"""How long a signed address takes an upload, and how long bytes may be on their way."""


@dataclass(frozen=True)
class File:
    """A file as it was sent; the same `key` in the same workspace is the same document."""

    name: str
    data: bytes
    key: str | None = None

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True)
class Received:
    """The document, and whether this call made it."""

    document: Document
    created: bool


class _Overtaken(Conflict):
    """The document has its operation, or has failed, by now."""


class Receiving:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def receive(self, workspace: str, file: File) -> Received:
        """Take a file in and have it extracted.

        Raises Refused for a file that is none of ours, Unprocessable when the key was used for another one, Transient.
        """
        name = name_of(file.name)
        if len(file.data) > DOCUMENT_DIRECT_BYTES:
            raise Refused("too_large", f"At most {DOCUMENT_DIRECT_BYTES:,} bytes in one request: ask for an upload.")
        kind = kind_of(name, file.data[:HEAD_BYTES], file.data)
        objects = self._ports.objects
        received = self._record(workspace, name, kind, file)
        if received.document.status is not DocumentStatus.UPLOADING:
            return received
        objects.put(original(workspace, received.document.id), file.data, CONTENT_TYPES[kind])
        return Received(self._begin(workspace, received.document, len(file.data)), received.created)

    def ask_for_upload(self, workspace: str, wanted: UploadCreate, key: str | None) -> tuple[UploadAnswer, bool]:
        """Where to put a file that is too large for one request, and whether this call made its document.

        Raises Refused, also where the place for files gives out no signed addresses.
        """
        name, objects = name_of(wanted.name), self._ports.objects
        if not objects.signs:
            message = "The place for files here takes no uploads by address (only gs:// and s3:// do): "
            raise Refused("no_upload", f"{message}send a file of at most {DOCUMENT_DIRECT_BYTES:,} bytes instead.")
        _, dot, extension = name.lower().rpartition(".")
        if not dot or extension not in list(DocumentType):
            known = ", ".join(DocumentType)
            raise Refused("unsupported", f"The name must end in what the file is, one of {known}.")
        kind = DocumentType(extension)
        received = self._record(workspace, name, kind, File(name, b"", key), size=wanted.bytes)
        document = received.document
        url = objects.sign(original(workspace, document.id), "PUT", UPLOAD_TIME.total_seconds())
        expires_at = document.upload_expires_at or self._ports.now()
        return UploadAnswer(document=document, url=url, headers={}, expires_at=expires_at), received.created

    def complete(self, workspace: str, document_id: str) -> Document:
        """Begin the extraction of a document whose bytes were put there. Again, it is a no-op.

        Raises NotFound, Conflict while they are not there, Refused when they are none of ours: the document has failed.
        """
        document = self._ports.store(workspace).documents.get(document_id)
        if document.status is not DocumentStatus.UPLOADING:
            return document
        place = original(workspace, document_id)
        try:
            size = self._ports.objects.size(place)
        except NotFound as error:
            raise Conflict("The file has not arrived: put it to its address first.") from error
        try:
            if size > DOCUMENT_BYTES:
                raise Refused("too_large", f"The file has {size:,} bytes; at most {DOCUMENT_BYTES:,} are taken.")
            kind = kind_of(document.name, self._ports.objects.get_range(place, 0, HEAD_BYTES))
        except Refused as refusal:
            self.give_up(workspace, document_id, refusal)
            raise
        typed = document.model_copy(update={"type": kind, "content_type": CONTENT_TYPES[kind]})
        return self._begin(workspace, typed, size)

    def give_up(self, workspace: str, document_id: str, why: MemexError) -> None:
        """The bytes are none of ours, or will not come: the document has failed, and says why."""
        code = str(why.details.get("reason", why.code))

        def decide(document: Document | None, _found: Snapshot) -> Change | None:
            if document is None or document.status is not DocumentStatus.UPLOADING:
                return None
            failure = Failure(code=code, message=why.message).model_dump()
            return Change({"status": "failed", "error": failure, "upload_expires_at": None, **self._touched()})

        self._ports.store(workspace).documents.change(document_id, decide, point="document.give_up")
        self._ports.objects.delete(original(workspace, document_id))

    def _record(self, workspace: str, name: str, kind: DocumentType, file: File, size: int | None = None) -> Received:
        """The record, new or found by its key."""
        sent = file.sha256 if size is None else ""
        digest = hashlib.sha256(f"{name}\x1f{sent}\x1f{size}".encode()).hexdigest()
        now = self._ports.now()
        document_id = derived("document", workspace, file.key) if file.key is not None else self._ports.ids.fresh()
        document = Document(
            id=document_id,
            name=name,
            type=kind,
            content_type=CONTENT_TYPES[kind],
            bytes=len(file.data) if size is None else size,
            sha256=sent,
            created_at=now,
            updated_at=now,
            upload_expires_at=now + UPLOAD_TIME,
        )

        def decide(there: Document | None, current: Snapshot) -> Change | None:
            if there is None:
                return Change(document.model_dump() | {"request_sha256": digest})
            if (current.fields or {}).get("request_sha256") != digest:
                message = "This Idempotency-Key was used for another file: take a new one."
                raise Unprocessable(message, field="Idempotency-Key")
            if there.deleting:
                raise Conflict("The document of this Idempotency-Key is being deleted: take a new one.")
            return None

        documents = self._ports.store(workspace).documents
        changed = documents.change(document_id, decide, point="document.create")
        return Received(document if changed.changed else documents.get(document_id), changed.changed)

    def _begin(self, workspace: str, document: Document, size: int) -> Document:
        """Commit the operation with the document's new state, and start its workflow, or leave that to the trigger."""
        store, engine = self._ports.store(workspace), self._ports.engine
        operation_id = operation_of(workspace, document)
        fields = {
            "status": "extracting",
            "operation_id": operation_id,
            "bytes": size,
            "type": document.type.value,
            "content_type": document.content_type,
            "upload_expires_at": None,
            **self._touched(),
        }

        def decide(operation: Operation | None, found: Snapshot) -> Append | None:
            if operation is not None:
                return None
            if store.documents.get(document.id).status is not DocumentStatus.UPLOADING:
                raise _Overtaken("Another caller was faster with this document.")
            lease = timedelta(seconds=engine.ports.settings.launch_lease_seconds)
            new = self._operation(operation_id, document, found.read_time + lease)
            event = engine.ports.event(EventType.CREATED, document_id=document.id, title=document.name)
            return Append(stored(new), (event,), (changing(document.id, fields),))

        try:
            change = store.operations.append(operation_id, decide, point="document.begin", create=True)
        except _Overtaken:
            return store.documents.get(document.id)
        if change.changed:
            self._launch(workspace, change.operation)
        return store.documents.get(document.id)

    def _operation(self, operation_id: str, document: Document, lease_ends: Any) -> Operation:
        now = self._ports.now()
        return Operation(
            id=operation_id,
            kind=EXTRACT_DOCUMENT,
            document_id=document.id,
            created_at=now,
            updated_at=now,
            title=document.name,
            asked_by="hand",
            launches=1,
            launch_expires_at=lease_ends,
        )

    def _launch(self, workspace: str, operation: Operation) -> None:
        """The fast path. When it fails, on_work_created and the sweep start what was committed here."""
        try:
            self._ports.engine.launching.start(workspace, operation)
        except MemexError as error:
            log.warning("operation %s waits to be started: %s", operation.id, error.message)

    def _touched(self) -> dict[str, Any]:
        return {"updated_at": self._ports.now()}


def name_of(given: str) -> str:
    """A file's name without its folders, on one line. Raises Refused where nothing is left."""
    base = given.replace("\\", "/").rpartition("/")[2]
    name = " ".join(printable(base).split())
    if not name.strip(". "):
        raise Refused("unsupported", "The file has no name.")
    if len(name) <= DOCUMENT_NAME_CHARACTERS:
        return name
    stem, dot, extension = name.rpartition(".")
    ending = f".{extension}" if dot and len(extension) <= 10 else ""
    return (stem if ending else name)[: DOCUMENT_NAME_CHARACTERS - len(ending)] + ending
