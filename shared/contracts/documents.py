"""Documents: files that a person put in, their text in chunks, and what can be asked of them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from shared.contracts.base import Model, Stored, UtcDatetime
from shared.contracts.limits import DOCUMENT_BYTES, DOCUMENT_NAME_CHARACTERS
from shared.contracts.operations import Failure, OperationStatus


class DocumentStatus(StrEnum):
    """`uploading` until its bytes are there, then `extracting` until its text is; the other two are never left."""

    UPLOADING = "uploading"
    EXTRACTING = "extracting"
    READY = "ready"
    FAILED = "failed"


class DocumentType(StrEnum):
    """What a file is, judged by its content."""

    TEXT = "txt"
    MARKDOWN = "md"
    HTML = "html"
    CSV = "csv"
    XLSX = "xlsx"
    PDF = "pdf"
    DOCX = "docx"


class Problem(Stored):
    """Something of a document that could not be taken over; the rest was. `page` is None for the whole."""

    page: int | None = None
    message: str


class Column(Stored):
    name: str
    type: str
    """integer | number | date | boolean | text, as all its values allow"""


class Row(Stored):
    """A row's values as text; an object, since Firestore has no lists within lists."""

    cells: tuple[str, ...] = ()


class Table(Stored):
    """A sheet, or a whole CSV file: its schema and its first rows."""

    name: str
    columns: tuple[Column, ...] = ()
    rows: int = 0
    """Without the heading."""
    first_rows: tuple[Row, ...] = ()


class Position(Stored):
    """How far an extraction has come: the next part (a page, a sheet, or the whole text), and the next piece in it."""

    part: int = 0
    piece: int = 0
    offset: int = 0
    """The characters before that part."""


class Document(Stored):
    """workspaces/{workspace}/documents/{id}; its text hangs below it in chunks/."""

    id: str
    name: str
    type: DocumentType
    content_type: str
    bytes: int = 0
    sha256: str = ""
    """Of the file; of one that came by a signed address it is known when it has been read."""
    status: DocumentStatus = DocumentStatus.UPLOADING
    operation_id: str | None = None
    """The extraction."""
    pages: int | None = None
    """Pages of a PDF, sheets of a workbook."""
    characters: int = 0
    chunks: int = 0
    tables: tuple[Table, ...] = ()
    problems: tuple[Problem, ...] = ()
    error: Failure | None = None
    created_at: UtcDatetime
    updated_at: UtcDatetime
    position: Position = Position()
    upload_expires_at: UtcDatetime | None = None
    """Until then the bytes may still come."""
    deleting: bool = False
    """It was deleted; what belongs to it is being taken away."""


class Chunk(Stored):
    """workspaces/{workspace}/documents/{document}/chunks/{n}: a piece of the text; all together are the text."""

    document_id: str
    n: int
    page: int | None = None
    offset: int
    """Where it begins in the whole text, in characters."""
    text: str


class ChunkIndex(Stored):
    """workspaces/{workspace}/chunk_index/{document}-{n}: what a chunk is found by, beside those of all documents.

    It cannot lie below the document: a search in all of them would be one over all workspaces.
    """

    document_id: str
    n: int
    created_at: UtcDatetime
    """Of the document."""
    terms: tuple[str, ...] = ()
    frequencies: str = ""
    length: int = 0
    """These three as in the index of notes."""
    embedding: Any = None
    """A Firestore vector of the model of the role `embed`, where there is one."""
    embedding_model: str = ""


class DocumentAnswer(Model):
    document: Document


class DocumentsAnswer(Model):
    documents: tuple[Document, ...]
    next_cursor: str | None = None


class UploadCreate(Model):
    """POST documents/uploads: a file that is too large for one request."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=DOCUMENT_NAME_CHARACTERS)]
    bytes: Annotated[int, Field(ge=1, le=DOCUMENT_BYTES)]


class UploadAnswer(Model):
    """PUT the bytes to `url` with `headers` before `expires_at`, then POST documents/{id}/complete."""

    document: Document
    url: str
    headers: dict[str, str]
    expires_at: UtcDatetime


class DocumentHit(Model):
    """A passage of a document that was found: `score` only orders the hits of one answer."""

    document_id: str
    name: str
    page: int | None
    offset: int
    excerpt: str
    score: float
    matched: tuple[str, ...] = ()


class DocumentSearchAnswer(Model):
    hits: tuple[DocumentHit, ...]
    looked_at: int
    """How many chunks were read."""


class ExtractArgument(Model):
    """The argument of workflows/extract.yaml."""

    workspace: str
    operation_id: str


class ExtractStartRequest(ExtractArgument):
    """POST extract/start."""

    execution: str
    """The full resource name of the calling execution."""


class ExtractStartAnswer(Model):
    """`superseded`: another execution has the operation, or it has ended; the caller ends."""

    status: Literal["running", "superseded"]
    fence: int


class ExtractStepRequest(ExtractArgument):
    """POST extract/step: some slices of the document."""

    fence: int


class ExtractStepAnswer(Model):
    """`superseded` as above; while it is `running` there is more to do. `paused`: spending is, and the caller ends."""

    status: OperationStatus | Literal["superseded", "paused"]
