"""workspaces/{workspace}/note_index: what is derived from a note, for one state of it, and the search in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.contracts.note_index import NoteIndex
from shared.store import paths
from shared.store.changing import Change, Changed, Changing
from shared.store.database import Database, Filter, Nearest, Query
from shared.store.documents import parsed
from shared.store.errors import Contention, Malformed
from shared.store.note_reading import END_OF_TIME, NoteReading
from shared.store.notes import reading_of
from shared.store.writes import Snapshot, Vector, Write, delete

_READ = tuple(name for name in NoteIndex.model_fields if name != "embedding")
_RANKED = ("length", "frequencies")
_TAGGED = (*_RANKED, "tags")
_NEAR = (*_TAGGED, "created_at", "kind", "distance")
"""Moments and lists are slow to decode, so only where they are looked at."""
_SHOWN = ("title", "body", "tags", "kind", "created_at", "updated_at")
_NEWEST = (("created_at", "DESCENDING"), ("__name__", "DESCENDING"))


@dataclass(frozen=True)
class Candidate:
    """What ranking needs of an indexed note."""

    id: str
    length: int
    frequencies: str
    tags: tuple[str, ...]
    kind: str | None = None
    created_at: datetime | None = None
    distance: float = 0.0
    """The last three only of those that `near` finds; the distance is 1 minus the cosine."""


@dataclass(frozen=True)
class Within:
    """Which notes are looked at: of a kind, written from `after` on and before `before`."""

    kind: str | None = None
    after: datetime | None = None
    before: datetime | None = None

    @property
    def filters(self) -> tuple[Filter, ...]:
        kind: tuple[Filter, ...] = (("kind", "==", self.kind),) if self.kind is not None else ()
        after: tuple[Filter, ...] = (("created_at", ">=", self.after),) if self.after is not None else ()
        return (*kind, *after, ("created_at", "<", self.before or END_OF_TIME))

    def holds(self, one: Candidate) -> bool:
        made = one.created_at or END_OF_TIME
        early = self.after is not None and made < self.after
        late = self.before is not None and made >= self.before
        return not early and not late and self.kind in (None, one.kind)


DecideIndex = Callable[[NoteIndex | None], NoteIndex | None]


class NoteIndexes:
    def __init__(self, database: Database, changing: Changing) -> None:
        self._database, self._changing = database, changing

    def find(self, note_id: str) -> NoteIndex | None:
        """Without the embedding; None where there is none that can be read."""
        return _index_of(self._database.get(paths.note_index(note_id), _READ))

    def change(
        self,
        note_id: str,
        decide: DecideIndex,
        *,
        embedding: Sequence[float] | None = None,
        also: tuple[Write, ...] = (),
        point: str,
    ) -> Changed:
        """Write what `decide` makes of the index as it is, the embedding where one is given, and `also` with it."""
        vector = {"embedding": Vector(tuple(embedding))} if embedding is not None else {}

        def decided(current: Snapshot) -> Change | None:
            index = decide(_index_of(current))
            return None if index is None else Change(index.model_dump(exclude={"embedding"}) | vector, also)

        return self._changing.change(paths.note_index(note_id), decided, point=point)

    def remove(self, note_id: str) -> bool:
        """Take the index of a note away that is gone; whether there was one. Raises Contention when it just changes."""
        found = self._database.get(paths.note_index(note_id), ("note_updated_at",))
        if found.fields is None:
            return False
        if self._database.get(paths.note(note_id), ("kind",)).fields is not None:
            raise Contention("The note is there again.")
        self._database.commit([delete(found.path, found.update_time)], "index.remove")
        return True

    def with_terms(self, terms: Sequence[str], within: Within, limit: int, *, tagged: bool = True) -> list[Candidate]:
        """Notes with any of the terms (30 at most), the newest first; their tags too, unless nobody looks at those."""
        asked: Filter = ("terms", "array_contains_any", list(terms))
        fields = _TAGGED if tagged else _RANKED
        return self._candidates(Query(limit, (asked, *within.filters), _NEWEST, fields=fields))

    def with_tag(self, tag: str, within: Within, limit: int) -> list[Candidate]:
        """Notes with the tag, the newest first."""
        asked: Filter = ("tags", "array_contains", tag)
        return self._candidates(Query(limit, (asked, *within.filters), _NEWEST, fields=_TAGGED))

    def near(self, vector: Sequence[float], threshold: float, limit: int) -> list[Candidate]:
        """Notes whose embedding is nearest, and no further than `threshold`, the nearest first."""
        nearest = Nearest("embedding", tuple(vector), threshold)
        return self._candidates(Query(limit, fields=_NEAR, nearest=nearest))

    def notes(self, note_ids: Sequence[str]) -> dict[str, NoteReading]:
        """The notes as they are now, with the inline part of their bodies, by id."""
        found = self._database.get_all([paths.note(note_id) for note_id in note_ids], _SHOWN) if note_ids else []
        return {one.id: reading for one in found if (reading := reading_of(one)) is not None}

    def _candidates(self, query: Query) -> list[Candidate]:
        found = self._database.query("note_index", query)
        return [_candidate(one.id, one.fields or {}) for one in found]


def _index_of(found: Snapshot) -> NoteIndex | None:
    """A malformed one counts as none, and is made anew."""
    if found.fields is None:
        return None
    try:
        return parsed(NoteIndex, found.fields, found.path)
    except Malformed:
        return None


def _candidate(note_id: str, fields: Any) -> Candidate:
    return Candidate(
        id=note_id,
        length=int(fields.get("length") or 0),
        frequencies=str(fields.get("frequencies") or ""),
        tags=tuple(fields.get("tags") or ()),
        kind=fields.get("kind"),
        created_at=fields.get("created_at"),
        distance=float(fields.get("distance") or 0.0),
    )
