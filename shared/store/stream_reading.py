"""Reading event streams: pages of events after a cursor, and how far a stream goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.contracts.events import Event
from shared.errors import NotFound
from shared.store import guards, paths
from shared.store.database import Database, Query
from shared.store.event_reading import event_of
from shared.store.writes import Snapshot

_PAGE = 200


@dataclass(frozen=True)
class Page:
    """A piece of a stream: the good events in it, how far it was looked at, and whether there may be more."""

    events: tuple[Event, ...]
    cursor: int
    more: bool


class StreamReading:
    """The streams of one workspace; `parent` paths lie below it, such as operations/op_1."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, parent: str, after: int = 0, limit: int = 100) -> list[Event]:
        """The events of `page`."""
        return list(self.page(parent, after, limit).events)

    def all(self, parent: str, after: int = 0) -> Iterator[Event]:
        """Every event with a seq above `after`, in order; each page is asked for when it is come to."""
        while True:
            page = self.page(parent, after, _PAGE)
            yield from page.events
            if not page.more:
                return
            after = page.cursor

    def page(self, parent: str, after: int = 0, limit: int = 100) -> Page:
        """Look at up to `limit` event documents with a seq above `after`, in order; malformed ones are left out.

        The cursor goes on behind those too, so that they hide nothing that comes after them.
        """
        query = Query(
            limit=limit,
            filters=(("seq", ">", after), ("seq", "<", 10**paths.EVENT_DIGITS)),
            orders=(("seq", "ASCENDING"),),
        )
        found = self._database.query(f"{parent}/events", query)
        more = len(found) == limit
        events = tuple(event for one in found if (event := event_of(one)) is not None)
        return Page(events, _reached(found, after, more), more)

    def head(self, parent: str) -> tuple[int, bool]:
        """The last seq of a stream and whether it has ended. Raises NotFound without a parent."""
        fields = self._database.get(parent).fields
        if fields is None:
            raise missing(parent)
        return seq_of(fields), guards.ended(parent, fields)

    def last_seq(self, parent: str) -> int:
        """The number of the last event that is there, for a parent that was replaced by one who knows of no `seq`."""
        return last_seq(self._database, parent)


def missing(parent: str) -> NotFound:
    """In the words of the other refusals: operations/op_1 is operation op_1, chat_sessions/s1 is session s1."""
    collection, _, name = parent.rpartition("/")
    return NotFound(f"There is no {collection.rpartition('/')[2].rpartition('_')[2].removesuffix('s')} {name}.")


def last_seq(database: Database, parent: str) -> int:
    found = database.query(
        f"{parent}/events", Query(1, (("seq", "<", 10**paths.EVENT_DIGITS),), (("seq", "DESCENDING"),))
    )
    return seq_of(found[0].fields or {}) if found else 0


def seq_of(fields: Mapping[str, Any]) -> int:
    seq = fields.get("seq")
    return seq if isinstance(seq, int) and 0 <= seq < 10**paths.EVENT_DIGITS else 0


def _reached(found: Sequence[Snapshot], after: int, more: bool) -> int:
    """The seq of the last document; behind a whole page of fractions, which are none, the next number."""
    if not found:
        return after
    last = int((found[-1].fields or {})["seq"])
    return last + 1 if last == after and more else max(last, after)
