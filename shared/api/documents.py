"""The handlers of documents."""

from __future__ import annotations

from urllib.parse import quote

from flask import Response
from werkzeug.exceptions import HTTPException

from shared.api import answers, request
from shared.api.refusals import TooLarge, UnsupportedMediaType
from shared.api.route import Call
from shared.contracts.documents import (
    DocumentAnswer,
    DocumentsAnswer,
    DocumentSearchAnswer,
    UploadCreate,
)
from shared.contracts.limits import DOCUMENT_DIRECT_BYTES, PAGE_SIZE, SEARCH_HITS
from shared.documents.receiving import File
from shared.errors import InputError, NotFound

_FORM_BYTES = 100_000
"""What a form has around its file."""
_DOWNLOAD = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
}
_ARTIFACTS = {"svg": "image/svg+xml", "png": "image/png"}
_PICTURE = "sandbox; default-src 'none'; style-src 'unsafe-inline'"


def add_document(call: Call) -> Response:
    """A form with one file, in the field `file`."""
    key = request.idempotency_key(call.request)
    with call.app.documents.admission.one():
        received = call.app.documents.receive(call.principal.workspace, _file(call, key))
    return answers.model(DocumentAnswer(document=received.document), 201 if received.created else 200)


def ask_for_upload(call: Call) -> Response:
    key = request.idempotency_key(call.request)
    wanted = request.body(call.request, UploadCreate)
    answer, created = call.app.documents.ask_for_upload(call.principal.workspace, wanted, key)
    return answers.model(answer, 201 if created else 200)


def complete_upload(call: Call) -> Response:
    return answers.model(DocumentAnswer(document=call.app.documents.complete(call.principal.workspace, call.id)))


def list_documents(call: Call) -> Response:
    wanted = {"limit": PAGE_SIZE, **call.query}
    documents, next_cursor = call.app.documents.list(call.principal.workspace, **wanted)
    return answers.model(DocumentsAnswer(documents=documents, next_cursor=next_cursor))


def get_document(call: Call) -> Response:
    return answers.model(DocumentAnswer(document=call.app.documents.get(call.principal.workspace, call.id)))


def get_content(call: Call) -> Response:
    """The file, to be saved and never shown: whoever wrote it, it runs nowhere in our name."""
    content = call.app.documents.content(call.principal.workspace, call.id)
    if content.address is not None:
        return Response(status=302, headers={**_DOWNLOAD, "Location": content.address})
    named = f"attachment; filename*=UTF-8''{quote(content.document.name, safe='')}"
    headers = {**_DOWNLOAD, "Content-Disposition": named, "Content-Length": str(content.document.bytes)}
    return Response(content.pieces, 200, headers, content_type=content.document.content_type)


def get_artifact(call: Call) -> Response:
    """A picture; as SVG it may be written to do more than be looked at, and here it cannot."""
    name = call.ids["name"]
    kind = _ARTIFACTS.get(name.rpartition(".")[2])
    if kind is None:
        raise NotFound(f"The document has no artifact {name}.")
    pieces = call.app.documents.artifact(call.principal.workspace, call.id, name)
    return Response(pieces, 200, {**_DOWNLOAD, "Content-Security-Policy": _PICTURE}, content_type=kind)


def delete_document(call: Call) -> Response:
    call.app.documents.delete(call.principal.workspace, call.id)
    return answers.empty()


def search_documents(call: Call) -> Response:
    query = dict(call.query)
    text = query.pop("q", None)
    if text is None:
        raise InputError("q: give the words to look for", field="q")
    search = call.app.document_search(call.principal.workspace)
    found: DocumentSearchAnswer = search.search(text, **{"limit": SEARCH_HITS, **query})
    return answers.model(found)


def _file(call: Call, key: str | None) -> File:
    """Raises UnsupportedMediaType, TooLarge, InputError."""
    if call.request.mimetype != "multipart/form-data":
        message = "Send a form (multipart/form-data) with one file in the field `file`."
        raise UnsupportedMediaType(message, field="Content-Type")
    if (call.request.content_length or 0) > DOCUMENT_DIRECT_BYTES + _FORM_BYTES:
        raise _too_large()
    try:
        files = call.request.files.getlist("file")
        others = [*call.request.form, *(name for name in call.request.files if name != "file")]
    except (HTTPException, ValueError) as error:
        raise InputError("file: the form is malformed", field="file") from error
    if len(files) != 1 or others:
        raise InputError("file: give one file, in the field `file`, and nothing else", field="file")
    data = files[0].stream.read(DOCUMENT_DIRECT_BYTES + 1)
    if len(data) > DOCUMENT_DIRECT_BYTES:
        raise _too_large()
    return File(files[0].filename or "", data, key)


def _too_large() -> TooLarge:
    return TooLarge(f"A file of more than {DOCUMENT_DIRECT_BYTES:,} bytes goes by an address: POST documents/uploads.")
