"""The rows of documents."""

from __future__ import annotations

from shared.api import documents, parameters
from shared.api.route import Route
from shared.contracts.documents import DocumentAnswer, DocumentsAnswer, DocumentSearchAnswer, UploadAnswer, UploadCreate

ROUTES: tuple[Route, ...] = (
    Route(
        "POST",
        "/documents",
        documents.add_document,
        "Put a file in: a form with one file in the field `file`, of at most 32 MB. 200 when the idempotency key found "
        "it stored. Its text is taken over by an operation.",
        answer=DocumentAnswer,
        status=201,
        idempotent_key=True,
        upload=True,
    ),
    Route(
        "POST",
        "/documents/uploads",
        documents.ask_for_upload,
        "Ask where to put a larger file, of at most 100 MB; 422 where the place for files has no such addresses.",
        answer=UploadAnswer,
        status=201,
        body=UploadCreate,
        idempotent_key=True,
    ),
    Route(
        "GET",
        "/documents",
        documents.list_documents,
        "List documents, newest first.",
        answer=DocumentsAnswer,
        query=(parameters.LIMIT, parameters.CURSOR),
    ),
    Route(
        "GET",
        "/documents/search",
        documents.search_documents,
        "Find passages of documents, the best first, with document and page.",
        answer=DocumentSearchAnswer,
        query=(parameters.SEARCH_Q, parameters.SEARCH_LIMIT, parameters.DOCUMENT_ID),
    ),
    Route("GET", "/documents/{id}", documents.get_document, "A document.", answer=DocumentAnswer),
    Route(
        "GET",
        "/documents/{id}/content",
        documents.get_content,
        "The file itself, as an attachment; a large one by a redirect to its place.",
        download=True,
    ),
    Route(
        "GET",
        "/documents/{id}/artifacts/{name}",
        documents.get_artifact,
        "A picture that was drawn of a document's rows, {plot}.svg or {plot}.png.",
        download=True,
    ),
    Route(
        "POST",
        "/documents/{id}/complete",
        documents.complete_upload,
        "Say that a large file has been put to its address; a no-op when that is known.",
        answer=DocumentAnswer,
    ),
    Route(
        "DELETE",
        "/documents/{id}",
        documents.delete_document,
        "Delete a document with its file and its text; again, it is a no-op.",
        status=204,
    ),
)
