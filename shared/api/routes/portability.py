"""The rows of export and import."""

from __future__ import annotations

from shared.api import parameters, portability
from shared.api.route import Route
from shared.contracts.members import Role
from shared.contracts.note_files import NoteFiles, NoteFilesAnswer
from shared.contracts.portability import (
    ExportAnswer,
    ExportPage,
    ImportAnswer,
    ImportBegin,
    ImportDocuments,
    ImportEnd,
    ImportObjects,
    ImportResults,
    ObjectsPage,
)

ROUTES: tuple[Route, ...] = (
    Route(
        "GET",
        "/export",
        portability.begin_export,
        "Begin an export of the workspace: a moment, and what there is to read at it (docs/data.md).",
        answer=ExportAnswer,
        role=Role.OWNER,
    ),
    Route(
        "GET",
        "/export/documents/{id}",
        portability.export_documents,
        "A page of a collection as it was at the moment of an export; 409 snapshot_gone when that is too long ago.",
        answer=ExportPage,
        query=(parameters.AT, parameters.CURSOR),
        role=Role.OWNER,
    ),
    Route(
        "GET",
        "/export/objects",
        portability.export_objects,
        "A page of the workspace's files.",
        answer=ObjectsPage,
        query=(parameters.CURSOR,),
        role=Role.OWNER,
    ),
    Route(
        "GET",
        "/export/object",
        portability.export_object,
        "A file from a byte on, 8 MB of it at most; nothing behind its end.",
        query=(parameters.OBJECT_NAME, parameters.START),
        download=True,
        role=Role.OWNER,
    ),
    Route(
        "POST",
        "/import",
        portability.begin_import,
        "Begin to take an export in, or go on; 409 not_empty where there is something and it is not to be merged.",
        answer=ImportAnswer,
        body=ImportBegin,
        role=Role.OWNER,
    ),
    Route(
        "POST",
        "/import/documents",
        portability.import_documents,
        "Take a page of documents in: each is created once, and nothing that is there is written over.",
        answer=ImportResults,
        body=ImportDocuments,
        role=Role.OWNER,
    ),
    Route(
        "POST",
        "/import/objects",
        portability.import_objects,
        "What is there of these files; one whose pieces have all come is put together.",
        answer=ImportResults,
        body=ImportObjects,
        role=Role.OWNER,
    ),
    Route(
        "POST",
        "/import/piece",
        portability.import_piece,
        "Send a piece of a file, 8 MB of it at most, as application/octet-stream.",
        status=204,
        query=(parameters.EXPORT_ID, parameters.OBJECT_NAME, parameters.SHA256, parameters.START),
        role=Role.OWNER,
    ),
    Route(
        "POST",
        "/import/end",
        portability.end_import,
        "Say that everything has come.",
        status=204,
        body=ImportEnd,
        role=Role.OWNER,
    ),
    Route(
        "POST",
        "/notes/import",
        portability.import_notes,
        "Take notes in from files, each under the id that it says; a file that has not changed changes nothing.",
        answer=NoteFilesAnswer,
        body=NoteFiles,
    ),
)
