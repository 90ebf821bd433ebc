"""The handlers of export and import: a whole workspace, and notes as files."""

from __future__ import annotations

from typing import Any

from flask import Response

from shared.api import answers, request
from shared.api.route import Call
from shared.contracts.note_files import NoteFiles, NoteFilesAnswer
from shared.contracts.portability import (
    OBJECT_PIECE_BYTES,
    ImportBegin,
    ImportDocuments,
    ImportEnd,
    ImportObjects,
    ImportResults,
)
from shared.errors import InputError
from shared.notes.from_file import How, take_in


def begin_export(call: Call) -> Response:
    return answers.model(call.app.exporting(call.principal.workspace).begin())


def export_documents(call: Call) -> Response:
    at, cursor = _given(call, "at"), call.query.get("cursor")
    return answers.model(call.app.exporting(call.principal.workspace).page(call.id, at, cursor))


def export_objects(call: Call) -> Response:
    return answers.model(call.app.workspace_files(call.principal.workspace).page(call.query.get("cursor")))


def export_object(call: Call) -> Response:
    """A piece of a file."""
    files = call.app.workspace_files(call.principal.workspace)
    piece = files.piece(_given(call, "name"), call.query.get("start", 0))
    return answers.octets(piece)


def begin_import(call: Call) -> Response:
    wanted = request.body(call.request, ImportBegin)
    return answers.model(call.app.importing(call.principal.workspace).begin(wanted))


def import_documents(call: Call) -> Response:
    wanted = request.body(call.request, ImportDocuments)
    return answers.model(call.app.importing(call.principal.workspace).documents(wanted))


def import_objects(call: Call) -> Response:
    wanted = request.body(call.request, ImportObjects)
    if not wanted.dry_run:
        call.app.importing(call.principal.workspace).begun(wanted.export_id)
    files = call.app.workspace_files(call.principal.workspace)
    results = tuple(files.take(one, dry_run=wanted.dry_run) for one in wanted.objects)
    return answers.model(ImportResults(results=results))


def import_piece(call: Call) -> Response:
    """A piece of a file, as it is."""
    call.app.importing(call.principal.workspace).begun(_given(call, "export_id"))
    data = request.read(call.request, OBJECT_PIECE_BYTES)
    files = call.app.workspace_files(call.principal.workspace)
    files.receive(_given(call, "name"), _given(call, "sha256"), call.query.get("start", 0), data)
    return answers.empty()


def end_import(call: Call) -> Response:
    wanted = request.body(call.request, ImportEnd)
    call.app.importing(call.principal.workspace).end(wanted.export_id)
    call.app.workspace_files(call.principal.workspace).forget_pieces()
    return answers.empty()


def import_notes(call: Call) -> Response:
    wanted = request.body(call.request, NoteFiles)
    how = How(call.principal.name, wanted.research, wanted.overwrite, wanted.dry_run)
    results = tuple(take_in(call.store, one, how, clock=call.app.clock) for one in wanted.notes)
    return answers.model(NoteFilesAnswer(results=results))


def _given(call: Call, name: str) -> Any:
    """A parameter that must be there. Raises InputError."""
    if name not in call.query:
        raise InputError(f"{name}: give it", field=name)
    return call.query[name]
