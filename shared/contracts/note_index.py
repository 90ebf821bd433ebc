"""What is derived from a note: kept apart from it, so that writing it fires no note trigger and lists stay cheap."""

from __future__ import annotations

from typing import Any

from shared.contracts.base import Model, Stored, UtcDatetime
from shared.contracts.notes import NoteKind


class NoteIndex(Stored):
    """workspaces/{workspace}/note_index/{note}: terms, embedding, excerpt, summary, for one state of the note."""

    id: str
    note_updated_at: UtcDatetime
    """The update time of the note's document that this was made from: an older state never replaces a newer one."""
    content_hash: str = ""
    """Of the title and body that summary, suggestions and embedding were made from: the same are not made again."""
    claimed_hash: str = ""
    claim_expires_at: UtcDatetime | None = None
    """Until then someone asks a model about the content of `claimed_hash`; nobody else does."""
    kind: NoteKind = NoteKind.CAPTURE
    title: str = ""
    tags: tuple[str, ...] = ()
    created_at: UtcDatetime
    updated_at: UtcDatetime
    excerpt: str = ""
    """The beginning of the body as plain text, for lists."""
    summary: str = ""
    """In a sentence or two; made by the model of the role `enrich`, or by rule."""
    summary_model: str = ""
    """Which model made it; empty where it was made by rule."""
    suggested_tags: tuple[str, ...] = ()
    """Tags that would fit; only a person adds them."""
    terms: tuple[str, ...] = ()
    """Stemmed words, each once, and prefixes with a ^ before them: what array-contains-any asks for."""
    frequencies: str = ""
    """How often each stem occurs, as " sun:3 panel:1 ": read by searching it, since a map takes a client longer to
    decode than a ranking may last."""
    length: int = 0
    """How many words."""
    embedding: Any = None
    """A Firestore vector of the model of the role `embed`, where there is one."""
    embedding_model: str = ""


class SearchHit(Model):
    """A note that was found: `score` only orders the hits of one answer; `matched` are the query's words in it."""

    id: str
    kind: NoteKind
    title: str
    excerpt: str
    """The passage that fits best."""
    tags: tuple[str, ...]
    created_at: UtcDatetime
    updated_at: UtcDatetime
    score: float
    matched: tuple[str, ...] = ()


class SearchAnswer(Model):
    hits: tuple[SearchHit, ...]
    looked_at: int
    """How many index documents were read; of notes themselves for a query without words."""
    message: str = ""
    """What there is to say of a search that was none by words."""
