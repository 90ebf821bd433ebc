"""Passages of notes and documents that may tell which of two statements is right: a few of each, none of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime

from shared.brain.statements import Statement
from shared.contracts.limits import QUERY_CHARACTERS
from shared.contracts.memory import QUOTE_CHARACTERS, SourceKind, SourceRef
from shared.contracts.notes import NoteKind
from shared.llm.port import Embedder
from shared.memory.keys import ME
from shared.search.documents import DocumentSearch
from shared.search.query import parsed
from shared.search.service import Search
from shared.store.workspace import WorkspaceStore

_NOTES, _DOCUMENTS = 6, 3


def passages(
    store: WorkspaceStore,
    embedder: Embedder | None,
    new: Statement,
    known: Statement,
    own: Collection[str],
    now: datetime,
) -> list[SourceRef]:
    """What the searches find for either; `own` are the ids of what the statements come from."""
    found: dict[str, SourceRef] = {}
    for statement in (new, known):
        query = _query(statement)
        if parsed(query):
            found |= {one.id: one for one in _found(store, embedder, query, now) if one.id not in own}
    return list(found.values())


def _found(store: WorkspaceStore, embedder: Embedder | None, query: str, now: datetime) -> Iterator[SourceRef]:
    for note in Search(store, lambda: embedder).search(query, limit=_NOTES, kind=NoteKind.CAPTURE).hits:
        yield SourceRef(
            kind=SourceKind.NOTE,
            id=note.id,
            quote=note.excerpt[:QUOTE_CHARACTERS],
            said_at=note.updated_at,
            title=note.title[:200],
        )
    for hit in DocumentSearch(store, lambda: embedder).search(query, limit=_DOCUMENTS).hits:
        yield SourceRef(
            kind=SourceKind.DOCUMENT,
            id=hit.document_id,
            start=hit.offset,
            end=hit.offset + len(hit.excerpt),
            quote=hit.excerpt[:QUOTE_CHARACTERS],
            said_by="other",
            said_at=now,
            title=hit.name[:200],
        )


def _query(statement: Statement) -> str:
    subject = "" if statement.subject_key == ME else statement.subject_key
    return f"{subject} {statement.property_key} {statement.object_key}".strip()[:QUERY_CHARACTERS]
