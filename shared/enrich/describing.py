"""What a note is about, asked of the models of the process, or made by rule where they give no answer."""

from __future__ import annotations

import logging

from shared.contracts.note_index import NoteIndex
from shared.contracts.notes import Note, NoteKind
from shared.enrich.suggesting import Suggestion, by_model, by_rule, tags_of_neighbours
from shared.errors import MemexError, SpendingPaused, Transient
from shared.gateway.transport import Cut
from shared.llm.port import Embedder, Model
from shared.store.note_index import Within
from shared.store.workspace import WorkspaceStore

log = logging.getLogger(__name__)

_NEIGHBOURS, _NEIGHBOUR_TERMS = 30, 8
_EMBEDDED_CHARACTERS = 6_000


def suggested(model: Model | None, note: Note, known: list[str]) -> Suggestion:
    """By the model, for captures; by rule where it gives no answer for good. Raises Transient."""
    if model is None or note.kind is not NoteKind.CAPTURE:
        return by_rule(note, known)
    try:
        return by_model(model, note, known, Cut())
    except Transient:
        raise
    except MemexError as error:
        log.warning("note %r is described by rule: %s", note.id, error.message)
        return by_rule(note, known)


def embedded(embedder: Embedder, note: Note) -> list[float] | None:
    """None for an empty note, and where the model gives no answer. Raises SpendingPaused."""
    text = f"{note.title}\n\n{note.body}".strip()[:_EMBEDDED_CHARACTERS]
    if not text:
        return None
    try:
        (vector,) = embedder.embed([text])
    except SpendingPaused:
        raise
    except MemexError as error:  # found by its words all the same
        log.warning("note %r has no embedding: %s", note.id, error.message)
        return None
    return vector


def known_tags(store: WorkspaceStore, index: NoteIndex) -> list[str]:
    """Tags in use on notes that share the most frequent words."""
    counts = (pair.rpartition(":") for pair in index.frequencies.split())
    frequent = sorted(((int(count), stem) for stem, _, count in counts), reverse=True)
    terms = [stem for _, stem in frequent[:_NEIGHBOUR_TERMS]]
    near = store.note_index.with_terms(terms, Within(), _NEIGHBOURS) if terms else []
    return tags_of_neighbours(one.tags for one in near if one.id != index.id)
