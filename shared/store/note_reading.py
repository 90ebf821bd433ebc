"""Reading a note document leniently: any client may write notes, with fields missing or of a wrong type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import cache
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError

from shared.contracts.limits import NOTE_BODY_BYTES, NOTE_PART_BYTES, TAG_CHARACTERS, TITLE_CHARACTERS
from shared.contracts.notes import Note

END_OF_TIME = datetime(9999, 12, 31, tzinfo=timezone.utc)
"""Moments of notes lie before it; lists ask for that, since values of other types would sort among the timestamps."""

OURS = ("id", "v", "parts", "body_bytes", "created_at", "updated_at", "seq")
"""Fields that Memex keeps: a wrong value of these is put right, while a wrong value of the user's is only reported.

They are read strictly: a moment as text or a number could be understood, but no query finds it.
"""

_PARTS = NOTE_BODY_BYTES // NOTE_PART_BYTES + 1


@dataclass(frozen=True)
class NoteReading:
    """A note as far as its document could be understood. `body` is the inline part."""

    note: Note
    missing: tuple[str, ...]
    """Fields that the document lacks."""
    invalid: tuple[str, ...]
    """Fields whose value has a wrong type; the note has the default in their place."""
    untidy: tuple[str, ...]
    """Fields that are right but not as the API would have stored them, such as tags in capitals."""

    @property
    def name(self) -> str:
        """The title, or what stands for one that lacks; a client may have written one of any length."""
        return (self.note.title or first_line(self.note))[:TITLE_CHARACTERS]

    @property
    def repairs(self) -> dict[str, Any]:
        """What to set to make the document whole: fields that lack, that are untidy, and ours that are wrong.

        A title that lacks becomes the first line of the body.
        """
        values = self.note.model_dump() | {"title": first_line(self.note)}
        names = {*self.missing, *self.untidy, *(name for name in self.invalid if name in OURS)}
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
            values[name] = _adapter(name).validate_python(given[name], strict=True if name in OURS else None)
        except ValidationError:
            invalid.append(name)
    if values["id"] != note_id:
        values["id"] = note_id
        invalid.append("id")
    if not 0 <= values.get("parts", 0) <= _PARTS:
        values["parts"] = 0
        invalid.append("parts")
    for name, ours in (("created_at", created_at), ("updated_at", updated_at)):
        if values[name] >= END_OF_TIME:
            values[name] = ours
            invalid.append(name)
    tags = _tags(given.get("tags"))
    untidy = ("tags",) if "tags" not in (*missing, *invalid) and tags != values["tags"] else ()
    note = Note.model_construct(**values | {"tags": tags})
    return NoteReading(note, tuple(missing), tuple(invalid), untidy)


def first_line(note: Note) -> str:
    """A title for a note without one: the first line of its body that has words."""
    lines = (line.strip("# \t") for line in note.body.splitlines())
    return next((line for line in lines if line), "")[:TITLE_CHARACTERS]


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    info = Note.model_fields[name]
    annotation: Any = info.annotation
    for extra in info.metadata:
        annotation = Annotated[annotation, extra]
    return TypeAdapter(annotation)


def _tags(given: Any) -> tuple[str, ...]:
    """The tags among whatever is there, as the API would have stored them."""
    if not isinstance(given, (list, tuple)):
        return ()
    tags = (tag.strip().lower()[:TAG_CHARACTERS] for tag in given if isinstance(tag, str))
    return tuple(dict.fromkeys(tag for tag in tags if tag))
