"""workspaces/{workspace}/checkpoints: what conversations have come to, one document each, with its large part below.

A value of the checkpoint that is large lies in parts/, named by its digest: it is written when it changes, not with
every turn. One commit replaces document and parts; a reader sees both as of one moment.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote, unquote

from shared.clock import Clock
from shared.errors import NotFound, Transient
from shared.store.database import Database, Filter, Query
from shared.store.errors import Contention, Uncertain
from shared.store.note_reading import END_OF_TIME
from shared.store.writes import Snapshot, Write, create, delete, put, update

COLLECTION = "checkpoints"
INLINE_BYTES = 2_000
"""A value whose JSON is longer lies in parts."""
SMALL_BYTES = 200_000
"""All values that lie in the document itself, with their names; where they are more, the longest go too."""
PART_BYTES = 500_000
PARTS_AT_ONCE = 400
TRIES, SECONDS = 8, 20.0
_NEWEST_FIRST = (("saved_at", "DESCENDING"), ("__name__", "DESCENDING"))
_LISTED = ("session_id", "owner", "version", "saved_at")


@dataclass(frozen=True)
class Checkpoint:
    """`values` are the checkpoint's members as JSON texts; `owner` is "" where it has none."""

    session_id: str
    format: str
    owner: str
    version: int
    saved_at: datetime
    digest: str
    values: Mapping[str, str]


@dataclass(frozen=True)
class Listed:
    session_id: str
    owner: str
    version: int
    saved_at: datetime


Decide = Callable[[Checkpoint | None], bool]


class Checkpoints:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock

    def find(self, session_id: str) -> Checkpoint | None:
        """With its parts; a value whose parts are not there is an empty text. Raises Transient."""
        found = self._whole(session_id)
        return None if found is None else _checkpoint(*found)

    def save(self, checkpoint: Checkpoint, decide: Decide) -> None:
        """Write what is given if `decide` says so of what is there, whose values it does not see.

        Raises what `decide` raises, and Transient when it did not get through.
        """
        path = path_of(checkpoint.session_id)
        begun = self._clock.now()
        for attempt in range(TRIES):
            if (self._clock.now() - begun).total_seconds() > SECONDS:
                break
            if attempt:
                self._database.pause(attempt)
            current = self._database.get(path)
            if not decide(None if current.fields is None else _checkpoint(current, {})):
                return
            try:
                self._database.commit(_writes(path, checkpoint, current), "checkpoint.save")
            except (Contention, Uncertain, NotFound):
                continue
            return
        raise Transient("The checkpoint could not be saved just now: try again.", retry_after_seconds=2.0)

    def remove(self, session_id: str) -> bool:
        """Remove it with its parts; whether there was one. Raises Transient."""
        path, removed = path_of(session_id), False
        for attempt in range(TRIES):
            current = self._database.get(path)
            if current.fields is None:
                return removed
            writes = [delete(f"{path}/parts/{name}") for name in sorted(_part_names(current.fields))]
            try:
                self._database.commit([delete(path, current.update_time), *writes], "checkpoint.remove")
            except (Contention, NotFound):
                self._database.pause(attempt)
            except Uncertain:
                removed = True  # by us or by another, once it is seen to be gone
                self._database.pause(attempt)
            else:
                return True
        raise Transient("The checkpoint could not be removed just now: try again.", retry_after_seconds=2.0)

    def list(self, owner: str, *, limit: int, after: tuple[datetime, str] | None) -> tuple[Listed, ...]:
        """Those of an owner, the one saved last first; `after` is the moment and the session to go on behind."""
        filters: tuple[Filter, ...] = (("owner", "==", owner), ("saved_at", "<", END_OF_TIME))
        start = None if after is None else (after[0], document_id(after[1]))
        query = Query(limit, filters, _NEWEST_FIRST, start, fields=_LISTED)
        found = self._database.query(COLLECTION, query)
        return tuple(_listed(one) for one in found)

    def _whole(self, session_id: str) -> tuple[Snapshot, Mapping[str, Snapshot]] | None:
        """The document, and its parts by name, as of one moment."""
        path = path_of(session_id)
        current = self._database.get(path)
        for attempt in range(TRIES):
            if current.fields is None:
                return None
            names = sorted(_part_names(current.fields))
            if not names:
                return current, {}
            again, *parts = self._database.get_all([path, *(f"{path}/parts/{name}" for name in names)])
            if again.update_time == current.update_time:
                return current, {one.id: one for one in parts}
            current = again
            self._database.pause(attempt)
        raise Transient("The checkpoint changes too fast to be read: try again.")


def document_id(session_id: str) -> str:
    """Any id as one that Firestore takes: no two have the same, and it can be turned back."""
    return f"s:{quote(session_id, safe='')}"


def path_of(session_id: str) -> str:
    return f"{COLLECTION}/{document_id(session_id)}"


def _writes(path: str, checkpoint: Checkpoint, current: Snapshot) -> list[Write]:
    large = _large(checkpoint.values)
    parts = {name: piece for key in large for name, piece in _pieces(checkpoint.values[key])}
    small = {key: text for key, text in checkpoint.values.items() if key not in large}
    fields = {
        "v": 1,
        "session_id": checkpoint.session_id,
        "format": checkpoint.format,
        "owner": checkpoint.owner,
        "version": checkpoint.version,
        "saved_at": checkpoint.saved_at,
        "digest": checkpoint.digest,
        "values": json.dumps(small, ensure_ascii=False),
        "large": [
            {"key": json.dumps(key), "parts": [name for name, _ in _pieces(checkpoint.values[key])]}
            for key in sorted(large)
        ],
    }
    there = _part_names(current.fields or {})
    head = create(path, fields) if current.fields is None else update(path, fields, current.update_time)
    return [
        head,
        *(put(f"{path}/parts/{name}", {"bytes": piece}) for name, piece in parts.items() if name not in there),
        *(delete(f"{path}/parts/{name}") for name in sorted(there - parts.keys())),
    ]


def _large(values: Mapping[str, str]) -> set[str]:
    """The members that go to parts."""
    sizes = {key: len(text.encode()) for key, text in values.items()}
    large = {key for key, size in sizes.items() if size > INLINE_BYTES}
    left = sum(len(key.encode()) + size for key, size in sizes.items() if key not in large)
    for key in sorted(sizes.keys() - large, key=lambda one: sizes[one], reverse=True):
        if left <= SMALL_BYTES:
            break
        large.add(key)
        left -= len(key.encode()) + sizes[key]
    return large


def _pieces(text: str) -> list[tuple[str, bytes]]:
    data = text.encode()
    digest = hashlib.sha256(data).hexdigest()[:32]
    starts = range(0, max(len(data), 1), PART_BYTES)
    return [(f"{digest}-{n}", data[start : start + PART_BYTES]) for n, start in enumerate(starts)]


def _part_names(fields: Mapping[str, Any]) -> set[str]:
    return {name for _, names in _large_members(fields) for name in names}


def _large_members(fields: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """The members that lie in parts, and the names of these; what is malformed is a member without parts."""
    found = fields.get("large")
    members = []
    for one in found if isinstance(found, list) else [{}]:
        key, names = (one.get("key"), one.get("parts")) if isinstance(one, Mapping) else (None, None)
        good = isinstance(key, str) and isinstance(names, list)
        members.append((json.loads(str(key)) if good else "", [str(name) for name in names or ()] if good else []))
    return members


def _checkpoint(found: Snapshot, parts: Mapping[str, Snapshot]) -> Checkpoint:
    fields = found.fields or {}
    values = _members(fields.get("values"))
    for key, names in _large_members(fields):
        values[key] = _joined([parts.get(name) for name in names])
    listed = _listed(found)
    return Checkpoint(
        session_id=listed.session_id,
        format=str(fields.get("format")),
        owner=listed.owner,
        version=listed.version,
        saved_at=listed.saved_at,
        digest=str(fields.get("digest") or ""),
        values=values,
    )


def _members(text: Any) -> dict[str, str]:
    """The members in the document; where it was damaged, one without a value, which reads as damaged."""
    try:
        members = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        members = None
    return dict(members) if isinstance(members, dict) else {"": ""}


def _joined(parts: list[Snapshot | None]) -> str:
    pieces = [one.fields.get("bytes") if one is not None and one.fields is not None else None for one in parts]
    if not all(isinstance(piece, bytes) for piece in pieces):
        return ""
    return b"".join(piece for piece in pieces if isinstance(piece, bytes)).decode(errors="replace")


def _listed(found: Snapshot) -> Listed:
    fields = found.fields or {}
    version, saved_at = fields.get("version"), fields.get("saved_at")
    return Listed(
        session_id=str(fields.get("session_id") or unquote(found.id.removeprefix("s:"))),
        owner=str(fields.get("owner") or ""),
        version=version if isinstance(version, int) else 0,
        saved_at=saved_at if isinstance(saved_at, datetime) else found.read_time,
    )
