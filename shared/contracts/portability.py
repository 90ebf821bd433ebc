"""Export and import of a workspace: pages of documents and objects, and what became of each that was taken in."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from shared.contracts.base import Model, Stored, UtcDatetime
from shared.contracts.limits import DOCUMENT_BYTES

FORMAT = "memex-export"
FORMAT_VERSION = 1
"""Rises when an older reader would misunderstand; fields are added without it."""

IMPORT_MARK = "memex_imported"
"""A field that is true on what an import created: triggers let such a creation pass, and nothing follows from it."""

EXPORT_PAGE_DOCUMENTS = 300
EXPORT_PAGE_BYTES = 2_000_000
"""A page ends at whichever comes first, after one document at least: so it stays small whatever lies in it."""
IMPORT_PAGE_DOCUMENTS = 200
OBJECT_PIECE_BYTES = 8_000_000
"""Of an object, in one request or answer: a streamed answer ends at 10 MB, a request at 32 MB."""
OBJECTS_AT_ONCE = 500

ExportId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
ObjectName = Annotated[str, StringConstraints(min_length=1, max_length=900)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class ExportAnswer(Model):
    """GET /api/v1/export: one moment of the workspace, of which everything is then read page by page."""

    format: str = FORMAT
    v: int = FORMAT_VERSION
    export_id: str
    workspace: str
    at: UtcDatetime
    """The moment; it can be read for an hour."""
    collections: tuple[str, ...]
    """In the order in which they are taken in again."""
    unknown: tuple[str, ...] = ()
    """Collections of the workspace that this version does not know, and that stay behind."""
    objects: bool
    """Whether there is a place for files."""


class PortableDocument(Model):
    """A document: its path below the workspace, empty for the workspace's own, and its fields with their types."""

    path: Annotated[str, StringConstraints(max_length=6_000)]
    fields: dict[str, Any]


class ExportPage(Model):
    """Documents in the order of their paths; with no `next_cursor` there are no more. A page may be empty."""

    documents: tuple[PortableDocument, ...]
    next_cursor: str | None = None


class ObjectEntry(Model):
    """A file; its name is relative to the workspace's files."""

    name: ObjectName
    bytes: Annotated[int, Field(ge=0, le=DOCUMENT_BYTES)]


class ObjectsPage(Model):
    """In the order of their names."""

    objects: tuple[ObjectEntry, ...]
    next_cursor: str | None = None


class ImportBegin(Model):
    """POST /api/v1/import. An import that broke off goes on under the same id; see ImportAnswer."""

    export_id: ExportId
    merge: bool = False
    """Into a workspace that has something already: what is there stays as it is."""
    dry_run: bool = False


class ImportAnswer(Model):
    workspace: str
    empty: bool
    """Whether there was nothing in the workspace."""
    resumed: bool
    """Whether this export was being taken in before."""


class Imported(StrEnum):
    """What became of a document or an object; in a dry run, what would become of it."""

    CREATED = "created"
    THERE = "there"
    """The same is there already."""
    DIFFERS = "differs"
    """Another is there under its name: that stays as it is."""
    LEFT_OUT = "left_out"
    """None of what is taken in; the message says why."""
    WANTED = "wanted"
    """An object whose bytes are to be sent."""


class ImportResult(Model):
    name: str
    """The path of a document, or the name of an object."""
    outcome: Imported
    message: str = ""


class ImportDocuments(Model):
    """POST /api/v1/import/documents: at most IMPORT_PAGE_DOCUMENTS, each taken in once however often it comes."""

    export_id: ExportId
    documents: Annotated[tuple[PortableDocument, ...], Field(max_length=IMPORT_PAGE_DOCUMENTS)]
    access: bool = False
    """Take in members and the workspace's own document too; its plan, quotas and switches never."""
    dry_run: bool = False


class ObjectWanted(ObjectEntry):
    sha256: Sha256


class ImportObjects(Model):
    """POST /api/v1/import/objects: what is there of them; one whose pieces have all come is put together."""

    export_id: ExportId
    objects: Annotated[tuple[ObjectWanted, ...], Field(max_length=OBJECTS_AT_ONCE)]
    dry_run: bool = False


class ImportResults(Model):
    results: tuple[ImportResult, ...]


class ImportEnd(Model):
    """POST /api/v1/import/end."""

    export_id: ExportId


class ImportRecord(Stored):
    """workspaces/{workspace}/leases/import: the export that is being, or was last, taken in."""

    export_id: str
    begun_at: UtcDatetime
    ended_at: UtcDatetime | None = None
