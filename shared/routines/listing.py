"""The period as a Markdown list, made by rule: what a digest always has, whatever a model writes above it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from shared.contracts.notes import Note
from shared.contracts.operations import Operation
from shared.contracts.routines import RoutineKind
from shared.contracts.tasks import Task
from shared.routines.gathering import Material
from shared.routines.periods import Period
from shared.search.passages import plain

_LINE = 160
_MARKUP = re.compile(r"([\\`*_\[\]<>#|!])")


def title_of(period: Period) -> str:
    what = "Digest of" if period.kind is RoutineKind.DIGEST else "Review of"
    return f"{what} {period.name}"


def listed(material: Material) -> str:
    """The sections that have something in them."""
    more = ("- … and more",) if material.more_notes else ()
    sections = (
        ("New notes", (*map(_note, material.notes), *more)),
        ("Research", tuple(map(_research, material.research))),
        ("Done", tuple(map(_task, material.done))),
        ("Due", tuple(map(_task, material.due))),
        ("Waiting for your word", tuple(f"- {escaped(each.title)}" for each in material.waiting)),
    )
    return "\n\n".join(_section(name, lines) for name, lines in sections if lines)


def escaped(text: str) -> str:
    """Someone's words on one line, without a meaning in Markdown."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split())[:_LINE])


def _section(name: str, lines: Iterable[str]) -> str:
    return f"## {name}\n\n" + "\n".join(lines)


def _note(note: Note) -> str:
    named = escaped(note.title or plain(note.body[:400], 60) or "Untitled")
    said = escaped(plain(note.body[: _LINE * 3], _LINE)) if note.title else ""
    tags = " ".join(f"#{escaped(tag)}" for tag in note.tags[:5])
    return f"- [{named}](#/notes/{note.id})" + (f" {tags}" if tags else "") + (f": {said}" if said else "")


def _research(operation: Operation) -> str:
    named = escaped(operation.title or "Research")
    link = f"[{named}](#/notes/{operation.result_note_id})" if operation.result_note_id else named
    why = f": {escaped(operation.error.message)}" if operation.error is not None else ""
    return f"- {link}, {operation.status.value}{why}"


def _task(task: Task) -> str:
    day = f" (due {task.due.isoformat()})" if task.due is not None and not task.done else ""
    return f"- {escaped(task.title)}{day}"
