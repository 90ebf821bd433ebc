"""The change log: what every commit changed, in order, written in the commit's own transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from infra.local.database import Database
from infra.local.firestore import fieldpath, wire


@dataclass(frozen=True)
class Change:
    """One document changed by one commit.

    `old` and `new` are raw `google.cloud.firestore_v1` Documents, None where there was or is none.
    `commit_time` is aware, in UTC, exact to the microsecond; it equals `new.update_time` where there is a `new`.
    `update_mask` has the paths of the fields that differ, for an update only, quoted where they must be.
    """

    seq: int
    commit_time: datetime
    name: str
    old: Any | None
    new: Any | None
    update_mask: tuple[str, ...] | None


class ChangeLog:
    """Reads the log; whoever reads keeps its own place in it."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._subscribers: list[Callable[[], None]] = []
        self._holds: list[Callable[[], int | None]] = []

    def after(self, seq: int, limit: int) -> list[Change]:
        """Up to `limit` changes after the change `seq`, oldest first; 0 begins at the first that is kept."""
        rows = self._db.read().execute(
            "SELECT seq, commit_time, name, old, new FROM changes WHERE seq > ? ORDER BY seq LIMIT ?",
            (seq, limit),
        )
        return [_change(row) for row in rows.fetchall()]

    def last_seq(self) -> int:
        """The number of the newest change, 0 before the first."""
        row = self._db.read().execute("SELECT max(seq) FROM changes").fetchone()
        return row[0] or 0

    def subscribe(self, poke: Callable[[], None]) -> None:
        """Have `poke` called after each commit, on the committing thread; it must be cheap and must not raise."""
        self._subscribers.append(poke)

    def unsubscribe(self, poke: Callable[[], None]) -> None:
        """Undo `subscribe`; no harm when it was undone before."""
        if poke in self._subscribers:
            self._subscribers.remove(poke)

    def poke(self) -> None:
        """Tell the subscribers that there may be something new."""
        for subscriber in tuple(self._subscribers):
            subscriber()

    def hold(self, oldest: Callable[[], int | None]) -> None:
        """Have `prune` spare everything after the change `oldest()` names, None for no wish."""
        self._holds.append(oldest)

    def forget_contents(self, through_seq: int) -> None:
        """Keep of the changes up to `through_seq` only that there were some: the past then has no documents."""
        with self._db.write() as connection:
            connection.execute("UPDATE changes SET old = NULL, new = NULL WHERE seq <= ?", (through_seq,))
            connection.execute("UPDATE behind SET seq = -1 WHERE seq < ?", (through_seq,))

    def prune(self, before_seq: int) -> None:
        """Forget the changes before `before_seq`, except the newest and what a transaction under way still needs."""
        held = [seq + 1 for hold in self._holds if (seq := hold()) is not None]
        bound = min([before_seq, self.last_seq(), *held])
        with self._db.write() as connection:
            connection.execute("DELETE FROM changes WHERE seq < ?", (bound,))


def changed_paths(old: Any, new: Any) -> list[str]:
    """The rendered paths of the fields that differ between two maps of Values, sorted; maps are descended into."""
    return sorted(fieldpath.render(path) for path in _differing(old, new, ()))


def _differing(old: Any, new: Any, prefix: fieldpath.FieldPath) -> list[fieldpath.FieldPath]:
    found: list[fieldpath.FieldPath] = []
    for name in {*old, *new}:
        path = (*prefix, name)
        if name not in old or name not in new:
            found.append(path)
        elif _both_maps(old[name], new[name]):
            found += _differing(old[name].map_value.fields, new[name].map_value.fields, path)
        elif wire.serialize(old[name]) != wire.serialize(new[name]):
            found.append(path)
    return found


def _both_maps(old: Any, new: Any) -> bool:
    return all(value.WhichOneof("value_type") == "map_value" and len(value.map_value.fields) for value in (old, new))


def _change(row: tuple[int, int, str, bytes | None, bytes | None]) -> Change:
    seq, commit_micros, name, old_body, new_body = row
    old = None if old_body is None else wire.parse_document(old_body)
    new = None if new_body is None else wire.parse_document(new_body)
    mask = None if old is None or new is None else tuple(changed_paths(old.fields, new.fields))
    return Change(seq, wire.datetime_of(commit_micros), name, old, new, mask)
