"""A note as one Markdown file: what is known of it as front matter, then its text."""

from __future__ import annotations

import json
from datetime import datetime

from shared.contracts.notes import Note


def markdown_of(note: Note) -> str:
    """The note with YAML front matter (strings as JSON writes them, which YAML reads alike); the body is as it was."""
    fields = {
        "id": note.id,
        "title": note.title,
        "kind": note.kind,
        "tags": list(note.tags),
        "created_at": _moment(note.created_at),
        "updated_at": _moment(note.updated_at),
        "source_note_id": note.source_note_id,
        "operation_id": note.operation_id,
    }
    lines = [f"{name}: {_value(value)}" for name, value in fields.items() if value not in (None, "", [])]
    return "\n".join(["---", *lines, "---", "", note.body.rstrip("\n"), ""])


def _moment(value: datetime) -> str:
    return value.isoformat().replace("+00:00", "Z")


def _value(value: object) -> str:
    """JSON, save that a line that YAML ends and JSON does not is escaped too."""
    return (
        json.dumps(value, ensure_ascii=False)
        .replace("\x85", "\\u0085")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )
