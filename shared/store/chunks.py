"""workspaces/{workspace}/documents/{document}/chunks: the text of documents in pieces, and the search in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.contracts.documents import Chunk
from shared.contracts.limits import CHUNK_CHARACTERS
from shared.store import paths
from shared.store.database import Database, Filter, Nearest, Query
from shared.store.documents import well_formed
from shared.store.note_index import Candidate
from shared.store.writes import Snapshot, Vector, Write, delete, put

_READ = tuple(name for name in Chunk.model_fields if name not in ("embedding", "terms", "frequencies"))
_RANKED = ("length", "frequencies")
_NEWEST = (("created_at", "DESCENDING"), ("__name__", "DESCENDING"))


class Chunks:
    """A chunk is named here by document and number: {document}/{n, six digits}."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def with_terms(self, terms: Sequence[str], limit: int, document_id: str | None = None) -> list[Candidate]:
        """Chunks with any of the terms (30 at most): of the newest documents first, or of one in its order."""
        asked: Filter = ("terms", "array_contains_any", list(terms))
        if document_id is not None:
            return self._candidates(document_id, Query(limit, (asked,), fields=_RANKED))
        return self._candidates(None, Query(limit, (asked,), _NEWEST, fields=_RANKED))

    def near(
        self, vector: Sequence[float], threshold: float, limit: int, document_id: str | None = None
    ) -> list[Candidate]:
        """Chunks whose embedding is nearest, and no further than `threshold`, the nearest first."""
        nearest = Nearest("embedding", tuple(vector), threshold)
        return self._candidates(document_id, Query(limit, fields=(*_RANKED, "distance"), nearest=nearest))

    def named(self, names: Sequence[str]) -> dict[str, Chunk]:
        """Those of them that are there, by name."""
        found = self._database.get_all([_path(name) for name in names], _READ) if names else []
        chunks = well_formed(Chunk, (one for one in found if one.fields is not None))
        return {name_of(one.document_id, one.n): one for one in chunks}

    def page(self, document_id: str, page: int, limit: int) -> list[Chunk]:
        """The pieces of a page, in order."""
        return self._read(document_id, Query(limit, (("page", "==", page),), fields=_READ))

    def from_offset(self, document_id: str, offset: int, limit: int) -> list[Chunk]:
        """The pieces from the one that has the character at `offset`, in order."""
        filters = (("offset", ">", offset - CHUNK_CHARACTERS),)
        found = self._read(document_id, Query(limit + 1, filters, (("offset", "ASCENDING"),), fields=_READ))
        return [one for one in found if one.offset + len(one.text) > offset][:limit]

    def remove_some(self, document_id: str, limit: int) -> int:
        """Take away up to `limit` pieces of a document: how many."""
        found = self._database.query(f"{paths.document(document_id)}/chunks", Query(limit, fields=("n",)))
        if found:
            self._database.commit([delete(one.path) for one in found], "chunks.remove")
        return len(found)

    def _read(self, document_id: str, query: Query) -> list[Chunk]:
        return list(well_formed(Chunk, self._database.query(f"{paths.document(document_id)}/chunks", query)))

    def _candidates(self, document_id: str | None, query: Query) -> list[Candidate]:
        if document_id is None:
            found = self._database.query_group("chunks", query)
        else:
            found = self._database.query(f"{paths.document(document_id)}/chunks", query)
        return [_candidate(one) for one in found if _is_chunk(one.path)]


def writing(chunk: Chunk, embedding: Sequence[float] | None) -> Write:
    """The write of a piece, whatever was there: the same piece again is the same document."""
    fields: dict[str, Any] = chunk.model_dump(exclude={"embedding"})
    if embedding is not None:
        fields["embedding"] = Vector(tuple(embedding))
    return put(paths.chunk(chunk.document_id, chunk.n), fields)


def name_of(document_id: str, n: int) -> str:
    """How a chunk is named in a search."""
    return f"{document_id}/{n:06d}"


def _path(name: str) -> str:
    document_id, _, n = name.rpartition("/")
    return paths.chunk(document_id, int(n))


def _is_chunk(path: str) -> bool:
    """Not a document of that name elsewhere."""
    segments = path.split("/")
    return len(segments) == 4 and segments[0] == "documents" and segments[3].isdigit()


def _candidate(found: Snapshot) -> Candidate:
    fields = found.fields or {}
    _, document_id, _, n = found.path.split("/")
    return Candidate(
        id=f"{document_id}/{n}",
        length=int(fields.get("length") or 0),
        frequencies=str(fields.get("frequencies") or ""),
        tags=(),
        distance=float(fields.get("distance") or 0.0),
    )
