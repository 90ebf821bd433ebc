"""Notes as files: what a file says of a note, and what became of it where it is taken in."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from shared.contracts.base import Model, UtcDatetime
from shared.contracts.notes import Body, Citation, NoteKind, Summary, Tags, Title

NOTE_FILES_AT_ONCE = 50
Fingerprint = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class NoteFile(Model):
    """A note as a file has it. Kind, moments and citations are taken over only where the note is new."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=1_500)]
    name: Annotated[str, StringConstraints(max_length=1_000)]
    """The file's, which the note's event names."""
    title: Title = ""
    body: Body = ""
    tags: Tags = ()
    base: Fingerprint | None = None
    """The fingerprint of the note (shared/notes/fingerprints.py) when the file was written."""
    kind: NoteKind = NoteKind.CAPTURE
    summary: Summary = ""
    created_at: UtcDatetime | None = None
    updated_at: UtcDatetime | None = None
    source_note_id: str | None = None
    operation_id: str | None = None
    run_id: str | None = None
    citations: tuple[Citation, ...] = ()
    partial: bool = False


class NoteFiles(Model):
    """POST /api/v1/notes/import."""

    notes: Annotated[tuple[NoteFile, ...], Field(max_length=NOTE_FILES_AT_ONCE)]
    research: bool = False
    """Whether the tag `research` begins research, as it does when a person sets it."""
    overwrite: bool = False
    """Whether the file's words count where both file and note have changed."""
    dry_run: bool = False


class FileOutcome(StrEnum):
    """What became of a file; in a dry run, what would become of it."""

    CREATED = "created"
    UPDATED = "updated"
    SAME = "same"
    NOTE_NEWER = "note_newer"
    """The file is as it was when it was written or last taken in, and the note has changed since."""
    CONFLICT = "conflict"
    """Both have changed: the note stays as it is."""
    IN_TRASH = "in_trash"
    """The note was deleted: it stays in the trash."""
    REFUSED = "refused"


class NoteText(Model):
    """What of a note a file can change."""

    title: str
    tags: tuple[str, ...]
    body: str


class FileResult(Model):
    id: str
    outcome: FileOutcome
    message: str = ""
    before: NoteText | None = None
    """In a dry run, the note as it is, where it would be updated or both have changed."""
    researched: bool = False
    """Whether research begins."""


class NoteFilesAnswer(Model):
    results: tuple[FileResult, ...]
