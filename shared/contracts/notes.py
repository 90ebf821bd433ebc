"""Notes: what a person captures and what Memex writes for them."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from shared.contracts.base import Model, Stored, UtcDatetime
from shared.contracts.limits import (
    NOTE_BODY_BYTES,
    NOTE_SUMMARY_CHARACTERS,
    TAG_CHARACTERS,
    TAGS_PER_NOTE,
    TITLE_CHARACTERS,
)
from shared.contracts.texts import hides, one_line

RESEARCH_TAG = "research"
"""A capture note that gains this tag is researched."""
PLAN_TAG = "research:plan"
"""The same, but its plan is shown first, and waits for a person's word."""
RESEARCH_TAGS = (RESEARCH_TAG, PLAN_TAG)


def asks_for_research(tags: Iterable[str]) -> bool:
    """Whether one of the tags of a capture has it researched."""
    return not set(RESEARCH_TAGS).isdisjoint(tags)


REPORT_TAG = "research-report"
PARTIAL_TAG = "research-partial"


class NoteKind(StrEnum):
    """What a note is; only captures can be researched."""

    CAPTURE = "capture"
    RESEARCH = "research"
    DIGEST = "digest"
    REVIEW = "review"
    REPORT = "report"
    ANSWER = "answer"


class Citation(Stored):
    """A source of a report, `[n]` in the text: a note or document of the workspace, or a web address."""

    n: int
    title: str
    url: str | None = None
    note_id: str | None = None
    document_id: str | None = None
    page: int | None = None
    """The page of the document, from 1."""
    resolved: bool = True
    """False where the address is a redirect that could not be followed to its end."""


class Note(Stored):
    """workspaces/{workspace}/notes/{id}; its own event stream hangs below it in events/."""

    id: str
    kind: NoteKind = NoteKind.CAPTURE
    title: str = ""
    summary: str = ""
    """Given by a person; the one that was made for the note lies in its index."""
    body: str = ""
    """The first NOTE_INLINE_BYTES of the body; the store's `read` joins the parts to it."""
    parts: int = 0
    """How many documents parts/0 … parts/{n-1} carry the rest of the body."""
    body_bytes: int = 0
    tags: tuple[str, ...] = ()
    source_note_id: str | None = None
    operation_id: str | None = None
    run_id: str | None = None
    """The agent run whose answer it is."""
    citations: tuple[Citation, ...] = ()
    partial: bool = False
    """A report that could not be finished; what there was is kept."""
    created_at: UtcDatetime
    updated_at: UtcDatetime
    seq: int = 0
    """The number of the last event of the note's stream."""


class NotePart(Stored):
    """workspaces/{workspace}/notes/{note}/parts/{n}: a further piece of the body."""

    n: int
    text: str


def _one_word(text: str) -> str:
    """`#research` is written for research; a blank would make two tags of one wherever tags are typed in a row."""
    tag = text.lstrip("#")
    if not tag or any(character.isspace() for character in tag) or hides(tag):
        raise ValueError("a tag is one word, such as home-solar")
    return tag


Tag = Annotated[
    str,
    StringConstraints(strip_whitespace=True, to_lower=True, min_length=1, max_length=TAG_CHARACTERS),
    AfterValidator(_one_word),
]
Title = Annotated[str, StringConstraints(max_length=TITLE_CHARACTERS), AfterValidator(one_line)]
Summary = Annotated[str, StringConstraints(strip_whitespace=True, max_length=NOTE_SUMMARY_CHARACTERS)]
Body = Annotated[str, StringConstraints(max_length=NOTE_BODY_BYTES)]
Tags = Annotated[tuple[Tag, ...], Field(max_length=TAGS_PER_NOTE)]


class NoteCreate(Model):
    """POST /api/v1/notes. Idempotency-Key (a header) names the note: the same key twice is one note."""

    title: Title = ""
    body: Body = ""
    tags: Tags = ()


class NotePatch(Model):
    """PATCH /api/v1/notes/{id}: only what is given changes.

    `tags` replaces them all; `add_tags` and `remove_tags` change single ones and so lose none that others add at once.
    """

    title: Title | None = None
    summary: Summary | None = None
    body: Body | None = None
    tags: Tags | None = None
    add_tags: Tags = ()
    remove_tags: Tags = ()

    @model_validator(mode="after")
    def _one_way(self) -> NotePatch:
        if self.tags is not None and (self.add_tags or self.remove_tags):
            raise ValueError("give tags, or add_tags and remove_tags")
        return self

    def tags_of(self, before: tuple[str, ...]) -> tuple[str, ...]:
        """The tags of a note that had `before`, in order and each once; as they were when nothing is said of them."""
        if self.tags is None and not self.add_tags and not self.remove_tags:
            return before
        kept = before if self.tags is None else self.tags
        return tuple(dict.fromkeys(tag for tag in (*kept, *self.add_tags) if tag not in self.remove_tags))


class NoteAnswer(Model):
    note: Note


class NoteReadAnswer(Model):
    """A note to be read: `html` is its body, safe to show; what was derived from it, where that has been done."""

    note: Note
    html: str
    summary: str = ""
    suggested_tags: tuple[str, ...] = ()
    """Tags that would fit and that the note does not have; only a person adds them."""


class FeedAnswer(Model):
    """Where the Atom feed of the notes is, below this API's origin. Who knows this address can read them: a secret."""

    path: str


class NotesAnswer(Model):
    """Newest first; bodies are cut to an excerpt, `GET …/{id}` gives the whole."""

    notes: tuple[Note, ...]
    next_cursor: str | None = None
