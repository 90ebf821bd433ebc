"""What a note is about: a summary and tags that would fit, by a model or by rule. Nothing here changes a note."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from shared.contracts.base import Stored
from shared.contracts.notes import PARTIAL_TAG, REPORT_TAG, RESEARCH_TAGS, Note, Tag
from shared.contracts.operations import Usage
from shared.gateway.transport import Cut
from shared.llm.parts import text_of
from shared.llm.port import Message, Model, ModelRequest, Text
from shared.llm.whole import whole
from shared.search.passages import plain, prose
from shared.store.event_size import cut_text

log = logging.getLogger(__name__)

TAGS_SUGGESTED = 4
SUMMARY_CHARACTERS = 400
_SEEN_BYTES = 24_000
_SENTENCES = 240
_ASK_SECONDS = 45.0
NEVER = frozenset({*RESEARCH_TAGS, REPORT_TAG, PARTIAL_TAG})
"""The first two cost money, the others say what a note is."""
_tag: TypeAdapter[str] = TypeAdapter(Tag)


@dataclass(frozen=True)
class Suggestion:
    """`model` is empty where it was made by rule."""

    summary: str
    tags: tuple[str, ...]
    model: str = ""
    usage: Usage = Usage()
    """What was asked of a model for it, in vain too."""


class _Answer(Stored):
    summary: str
    tags: tuple[str, ...] = ()


_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"summary": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}},
    "required": ["summary", "tags"],
}


def by_rule(note: Note, known: Iterable[str]) -> Suggestion:
    """The beginning of the text, and the tags that its neighbours have most."""
    text = plain(prose(note.body[: _SENTENCES * 4]), _SENTENCES)
    return Suggestion(text, _fitting(note, known))


def by_model(model: Model, note: Note, known: Sequence[str], cut: Cut) -> Suggestion:
    """What the model says of the note, made to fit; by rule where it is no answer. Raises as `Model.stream` does."""
    request = ModelRequest(
        messages=(Message("user", (Text(_shown(note, known)),)),),
        system=_prompt(),
        schema=_SCHEMA,
        max_output_tokens=1_024,
        deadline_seconds=_ASK_SECONDS,
        thinking=False,
    )
    answer = whole(model, request, cut)
    try:
        said = _Answer.model_validate_json(text_of(answer.message.parts))
    except ValidationError:
        log.warning("note %r is described by rule: %s answered otherwise than it was asked", note.id, model.name)
        return replace(by_rule(note, known), usage=answer.usage)
    summary = plain(said.summary, SUMMARY_CHARACTERS)
    return Suggestion(summary, _fitting(note, said.tags), model.name, answer.usage)


def tags_of_neighbours(tags: Iterable[Sequence[str]]) -> list[str]:
    """Tags that at least two of the neighbours have, the most frequent first."""
    counted = Counter(tag for each in tags for tag in set(each))
    frequent = [(tag, count) for tag, count in counted.items() if count > 1]
    return [tag for tag, _ in sorted(frequent, key=lambda pair: (-pair[1], pair[0]))]


def _fitting(note: Note, tags: Iterable[str]) -> tuple[str, ...]:
    """Those that are tags, that the note lacks, and that anyone may suggest."""
    found = (tag for each in tags for tag in _well_formed(each))
    fresh = dict.fromkeys(tag for tag in found if tag not in NEVER and tag not in note.tags)
    return tuple(fresh)[:TAGS_SUGGESTED]


def _well_formed(tag: str) -> list[str]:
    try:
        return [_tag.validate_python("-".join(tag.split()))]
    except ValidationError:
        return []


def _shown(note: Note, known: Sequence[str]) -> str:
    """The note between tags that nothing in it can close."""
    body = escape(cut_text(note.body, _SEEN_BYTES), quote=False)
    in_use = escape(", ".join(known[:20]) or "none")
    return f'<tags_in_use>{in_use}</tags_in_use>\n\n<note title="{escape(note.title)}">\n{body}\n</note>'


@cache
def _prompt() -> str:
    return (Path(__file__).parent / "prompt.md").read_text(encoding="utf-8")
