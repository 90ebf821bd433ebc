"""Searching the notes of a workspace: candidates from the index, ranked, the best of them read for their passage.

What is read is bounded, however many notes there are; see candidates.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timezone

from shared.contracts.note_index import SearchAnswer, SearchHit
from shared.contracts.notes import NoteKind
from shared.llm.port import Embedder
from shared.search.as_it_stands import as_it_stands
from shared.search.candidates import CANDIDATES, by_meaning, by_words
from shared.search.passages import passage
from shared.search.query import Wanted, parsed
from shared.search.ranking import best_first, bm25, fused
from shared.store.note_index import Candidate, Within
from shared.store.note_reading import NoteReading
from shared.store.workspace import WorkspaceStore

TAGGED_CANDIDATES = 60
TITLE_CHARACTERS = 300


@dataclass(frozen=True)
class _Filters:
    within: Within
    tag: str | None

    def tagged(self, one: Candidate) -> bool:
        return self.tag is None or self.tag in one.tags


class Search:
    """`embedder` gives None where no model plays `embed`: then words alone decide."""

    def __init__(self, store: WorkspaceStore, embedder: Callable[[], Embedder | None] = lambda: None) -> None:
        self._store, self._embedder = store, embedder

    def search(
        self,
        query: str,
        *,
        limit: int,
        kind: NoteKind | str | None = None,
        tag: str | None = None,
        after: date | None = None,
        before: date | None = None,
    ) -> SearchAnswer:
        """Notes that fit, the best first; `after` and `before` are days of their making, UTC, the first included.

        A query without words is looked for as it stands, newest first. Raises InputError for one that is too long.
        """
        wanted = parsed(query)
        kind = NoteKind(kind).value if kind is not None else None
        filters = _Filters(Within(kind, _midnight(after), _midnight(before)), tag)
        if not wanted:
            return as_it_stands(self._store.notes, query, filters.within, tag, limit)
        found = self._by_words(wanted, filters)
        near = [one for one in self._near(query) if filters.tagged(one) and filters.within.holds(one)]
        scored = bm25(wanted, [one for one in found.values() if filters.tagged(one)])
        scores = fused(best_first(scored), [one.id for one in near]) if near else scored
        hits = self._hits(best_first(scores)[:limit], scores, wanted)
        looked_at = len(found.keys() | {one.id for one in near})
        return SearchAnswer(hits=tuple(hit for hit in hits if _fits(hit, kind, tag)), looked_at=looked_at)

    def _by_words(self, wanted: Sequence[Wanted], filters: _Filters) -> dict[str, Candidate]:
        index, within, tagged = self._store.note_index, filters.within, filters.tag is not None
        found = by_words(wanted, lambda terms, limit: index.with_terms(terms, within, limit, tagged=tagged))
        if len(found) >= CANDIDATES and filters.tag is not None:
            found |= {one.id: one for one in index.with_tag(filters.tag, within, TAGGED_CANDIDATES)}
        return found

    def _near(self, query: str) -> list[Candidate]:
        return by_meaning(query, self._embedder, self._store.note_index.near)

    def _hits(self, names: Sequence[str], scores: dict[str, float], wanted: Sequence[Wanted]) -> Iterable[SearchHit]:
        notes = self._store.note_index.notes(names)
        return [_hit(name, notes[name], scores[name], wanted) for name in names if name in notes]


def _hit(name: str, reading: NoteReading, score: float, wanted: Sequence[Wanted]) -> SearchHit:
    note = reading.note
    best = passage(note.body, wanted)
    return SearchHit(
        id=name,
        kind=note.kind,
        title=reading.name[:TITLE_CHARACTERS],
        excerpt=best.text,
        tags=note.tags,
        created_at=note.created_at,
        updated_at=note.updated_at,
        score=round(score, 6),
        matched=_matched(best.matched, note.title, note.tags, wanted),
    )


def _matched(in_body: Sequence[str], title: str, tags: Sequence[str], wanted: Sequence[Wanted]) -> tuple[str, ...]:
    in_title = passage(f"{title} {' '.join(tags)}", wanted).matched
    return tuple(word.word for word in wanted if word.word in in_body or word.word in in_title)


def _fits(hit: SearchHit, kind: str | None, tag: str | None) -> bool:
    """The index may be older than the note."""
    return kind in (None, hit.kind.value) and (tag is None or tag in hit.tags)


def _midnight(day: date | None) -> datetime | None:
    return datetime.combine(day, time(), timezone.utc) if day is not None else None
