"""From the steps of a run to the note that holds its report, or what there is of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.contracts.limits import NOTE_INLINE_BYTES, TAGS_PER_NOTE, TITLE_CHARACTERS
from shared.contracts.notes import PARTIAL_TAG, REPORT_TAG, RESEARCH_TAGS, Note, NoteKind
from shared.contracts.operations import Operation, OperationStatus
from shared.ids import derived
from shared.operations.ending import Ending
from shared.research.ports import Ports
from shared.research.report.assemble import Report, assemble
from shared.research.report.draft import Draft, draft
from shared.research.report.register import Lookup
from shared.store.event_size import cut_text
from shared.store.workspace import WorkspaceStore

_CITED_NOTES, _CITED_DOCUMENTS = 200, 100


@dataclass(frozen=True)
class Result:
    """The report of a run, and the titles and tags that its note takes over."""

    report: Report
    tags: tuple[str, ...]


def result(ports: Ports, workspace: str, operation: Operation, steps: Sequence[Mapping[str, Any]]) -> Result:
    """Read the report out of the steps: redirects resolved, cited notes looked up. Raises Transient."""
    made = draft(steps)
    store = ports.store(workspace)
    redirects = ports.redirects
    lookup = Lookup(redirects.resolve(made.urls), redirects.is_redirect, _titles(store, made), _names(store, made))
    source = store.notes.find(operation.source_note_id)
    return Result(assemble(made, lookup), source.note.tags if source else ())


def _titles(store: WorkspaceStore, made: Draft) -> dict[str, str]:
    """Names of the cited notes that are in the workspace: the others are no sources."""
    found = {note_id: store.notes.find(note_id) for note_id in made.note_ids[:_CITED_NOTES]}
    return {note_id: reading.name or note_id for note_id, reading in found.items() if reading}


def _names(store: WorkspaceStore, made: Draft) -> dict[str, str]:
    """Likewise of documents."""
    found = {document_id: store.documents.look(document_id) for document_id in made.document_ids[:_CITED_DOCUMENTS]}
    return {document_id: one.name for document_id, one in found.items() if one is not None and not one.deleting}


def judged(ports: Ports, operation: Operation, found: Result) -> Ending:
    """How a completed run ends: with its report, or failed for lack of text or evidence."""
    if not found.report.text:
        return failed(
            ports, operation, found, "no_text", "The research run ended without any text. Tag the note again."
        )
    if not found.report.citations:
        message = "The research run gave a text without any source. Add what the note is about, then tag it again."
        return failed(ports, operation, found, "no_evidence", message)
    counts = (
        ("citations", len(found.report.citations)),
        ("unresolved", sum(not citation.resolved for citation in found.report.citations)),
        ("mended_citations", found.report.mended),
        ("dropped_citations", found.report.dropped),
    )
    return Ending(OperationStatus.COMPLETED, note=_note(ports, operation, found, partial=False), data=counts)


def failed(ports: Ports, operation: Operation, found: Result, code: str, message: str) -> Ending:
    """A failure that keeps what text there is as a partial note."""
    return Ending.failed(code, message, kept(ports, operation, found))


def kept(ports: Ports, operation: Operation, found: Result) -> Note | None:
    """The partial note of a run that ended early; None when it had no text."""
    return _note(ports, operation, found, partial=True) if found.report.text else None


def beginning(refused: Note) -> Ending:
    """The end of a run whose note the store refuses: a failure that keeps the beginning of the paid report."""
    body = cut_text(refused.body, NOTE_INLINE_BYTES)
    kept = refused.model_copy(
        update={
            "title": refused.title.replace("Research:", "Partial:", 1),
            "body": body,
            "body_bytes": len(body.encode()),
            "tags": (PARTIAL_TAG,),
            "citations": (),
            "partial": True,
        }
    )
    message = "The report was made, but Firestore refuses it as a whole: its beginning is kept. Tag the note again."
    return Ending.failed("report_refused", message, kept)


def _note(ports: Ports, operation: Operation, found: Result, *, partial: bool) -> Note:
    """The note, its whole body in `body`; its id derives from the operation, so there is never a second one."""
    own = PARTIAL_TAG if partial else REPORT_TAG
    tags = dict.fromkeys([own, *(tag for tag in found.tags if tag not in (*RESEARCH_TAGS, PARTIAL_TAG, REPORT_TAG))])
    prefix = "Partial" if partial else "Research"
    now = ports.now()
    return Note(
        id=derived("note", operation.id),
        kind=NoteKind.RESEARCH,
        title=f"{prefix}: {operation.title or 'untitled note'}"[:TITLE_CHARACTERS],
        body=found.report.body,
        body_bytes=len(found.report.body.encode()),
        tags=tuple(tags)[:TAGS_PER_NOTE],
        source_note_id=operation.source_note_id,
        operation_id=operation.id,
        citations=found.report.citations,
        partial=partial,
        created_at=now,
        updated_at=now,
    )
