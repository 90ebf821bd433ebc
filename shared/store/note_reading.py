"""Reading a note document leniently: any client may write notes, with fields missing or of a wrong type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from shared.contracts.limits import TAG_CHARACTERS
from shared.contracts.notes import Note

OURS = ("id", "v", "parts", "body_bytes", "created_at", "updated_at", "seq")
"""Fields that Memex keeps: a wrong value of these is put right, while a wrong value of the user's is only reported."""


@dataclass(frozen=True)
class NoteReading:
    """A note as far as its document could be understood. `body` is the inline part."""

    note: Note
    missing: tuple[str, ...]
    """Fields that the document lacks."""
    invalid: tuple[str, ...]
    """Fields whose value has a wrong type; the note has the default in their place."""

    @property
    def repairs(self) -> dict[str, Any]:
        """The fields to set so that the document is complete: what lacks, and what is Memex's and wrong."""
        values = self.note.model_dump()
        names = {*self.missing, *(name for name in self.invalid if name in OURS)}
        return {name: values[name] for name in sorted(names)}


def read_note(note_id: str, fields: Mapping[str, Any], *, created_at: datetime, updated_at: datetime) -> NoteReading:
    """Understand a document; the two moments (its create and update time) stand in for missing ones. Never raises."""
    given = dict(fields)
    body = given.get("body")
    values: dict[str, Any] = {
        "id": note_id,
        "created_at": created_at,
        "updated_at": updated_at,
        "body_bytes": len(body.encode(errors="replace")) if isinstance(body, str) else 0,
    }
    missing, invalid = [], []
    for name in Note.model_fields:
        if name not in given:
            missing.append(name)
            continue
        try:
            values[name] = _adapter(name).validate_python(given[name])
        except ValidationError:
            invalid.append(name)
    if values["id"] != note_id:
        values["id"] = note_id
        invalid.append("id")
    values["tags"] = _tags(given.get("tags"))
    return NoteReading(Note.model_construct(**values), tuple(missing), tuple(invalid))


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    info = Note.model_fields[name]
    annotation: Any = info.annotation
    for extra in info.metadata:
        annotation = _annotated(annotation, extra)
    return TypeAdapter(annotation)


def _annotated(annotation: Any, extra: Any) -> Any:
    from typing import Annotated

    return Annotated[annotation, extra]


def _tags(given: Any) -> tuple[str, ...]:
    """The tags among whatever is there, as the API would have stored them."""
    if not isinstance(given, (list, tuple)):
        return ()
    tags = (tag.strip().lower()[:TAG_CHARACTERS] for tag in given if isinstance(tag, str))
    return tuple(dict.fromkeys(tag for tag in tags if tag))
