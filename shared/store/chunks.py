"""The text of documents in pieces, below each document, and the index in which those of all documents are found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.contracts.documents import Chunk, ChunkIndex
from shared.contracts.limits import CHUNK_CHARACTERS
from shared.store import paths
from shared.store.database import Database, Filter, Nearest, Query
from shared.store.documents import well_formed
from shared.store.note_index import Candidate
from shared.store.writes import Snapshot, Vector, Write, delete, put

_RANKED = ("document_id", "n", "length", "frequencies")
_COUNTED = 1_000
_NEWEST = (("created_at", "DESCENDING"), ("__name__", "DESCENDING"))


class Chunks:
    """A candidate is named by its document and number: {document}-{n, six digits}."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def with_terms(self, terms: Sequence[str], limit: int, document_id: str | None = None) -> list[Candidate]:
        """Pieces with any of the terms (30 at most), of all documents or of one; those of the newest first."""
        asked: Filter = ("terms", "array_contains_any", list(terms))
        return self._candidates(Query(limit, (*_of(document_id), asked), _NEWEST, fields=_RANKED))

    def near(
        self, vector: Sequence[float], threshold: float, limit: int, document_id: str | None = None
    ) -> list[Candidate]:
        """Pieces whose embedding is nearest, and no further than `threshold`, the nearest first."""
        nearest = Nearest("embedding", tuple(vector), threshold)
        return self._candidates(Query(limit, _of(document_id), fields=(*_RANKED, "distance"), nearest=nearest))

    def named(self, names: Sequence[str]) -> dict[str, Chunk]:
        """Those of the candidates whose text is there, by name."""
        found = self._database.get_all([_path(name) for name in names]) if names else []
        chunks = well_formed(Chunk, (one for one in found if one.fields is not None))
        return {f"{one.document_id}-{one.n:06d}": one for one in chunks}

    def page(self, document_id: str, page: int, limit: int) -> list[Chunk]:
        """The pieces of a page, in order."""
        return self._read(document_id, Query(limit, (("page", "==", page),)))

    def from_offset(self, document_id: str, offset: int, limit: int) -> list[Chunk]:
        """The pieces from the one that has the character at `offset`, in order."""
        filters = (("offset", ">", offset - CHUNK_CHARACTERS),)
        found = self._read(document_id, Query(limit + 1, filters, (("offset", "ASCENDING"),)))
        return [one for one in found if one.offset + len(one.text) > offset][:limit]

    def numbered(self, document_id: str, first: int, limit: int) -> list[Chunk]:
        """The pieces from the number `first` on, in order."""
        return self._read(document_id, Query(limit, (("n", ">=", first),), (("n", "ASCENDING"),)))

    def count(self, document_id: str) -> int:
        """How many pieces there are, by looking at the number of each."""
        found, last = 0, -1
        while True:
            query = Query(_COUNTED, (("n", ">", last),), (("n", "ASCENDING"),), fields=("n",))
            page = self._database.query(f"{paths.document(document_id)}/chunks", query)
            found += len(page)
            if len(page) < _COUNTED:
                return found
            last = int((page[-1].fields or {})["n"])

    def remove_some(self, document_id: str, limit: int) -> int:
        """Take away up to `limit` pieces of a document, or of its index: how many."""
        places = (
            (f"{paths.document(document_id)}/chunks", Query(limit, fields=("n",))),
            ("chunk_index", Query(limit, _of(document_id), fields=("n",))),
        )
        for collection, query in places:
            found = self._database.query(collection, query)
            if found:
                self._database.commit([delete(one.path) for one in found], "chunks.remove")
                return len(found)
        return 0

    def _read(self, document_id: str, query: Query) -> list[Chunk]:
        return list(well_formed(Chunk, self._database.query(f"{paths.document(document_id)}/chunks", query)))

    def _candidates(self, query: Query) -> list[Candidate]:
        return [_candidate(one) for one in self._database.query("chunk_index", query)]


def writing(chunk: Chunk, index: ChunkIndex, embedding: Sequence[float] | None) -> tuple[Write, ...]:
    """The writes of a piece, whatever was there: the same piece again is the same documents."""
    fields: dict[str, Any] = index.model_dump(exclude={"embedding"})
    if embedding is not None:
        fields["embedding"] = Vector(tuple(embedding))
    return (
        put(paths.chunk(chunk.document_id, chunk.n), chunk.model_dump()),
        put(paths.chunk_index(index.document_id, index.n), fields),
    )


def _of(document_id: str | None) -> tuple[Filter, ...]:
    return (("document_id", "==", document_id),) if document_id is not None else ()


def _path(name: str) -> str:
    document_id, _, n = name.rpartition("-")
    return paths.chunk(document_id, int(n))


def _candidate(found: Snapshot) -> Candidate:
    fields = found.fields or {}
    return Candidate(
        id=f"{fields.get('document_id')}-{int(fields.get('n') or 0):06d}",
        length=int(fields.get("length") or 0),
        frequencies=str(fields.get("frequencies") or ""),
        tags=(),
        distance=float(fields.get("distance") or 0.0),
    )
