"""A StructuredQuery as what has to hold of a document's bytes: conjunctions, order, cursors, window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from infra.local.firestore import fieldpath
from infra.local.firestore.encoding import encode, invert
from infra.local.firestore.fieldpath import NAME, FieldPath
from infra.local.firestore.names import Path


class Cut(NamedTuple):
    """A place between sort keys: just before everything that begins with `key`, or just after."""

    key: bytes
    after: bool

    @property
    def bound(self) -> bytes:
        """The least byte string not before the cut."""
        return self.key + b"\xff" if self.after else self.key

    def inverted(self) -> Cut:
        """The same place when the order runs the other way."""
        return Cut(invert(self.key), not self.after)


class Order(NamedTuple):
    """One sort criterion."""

    path: FieldPath
    descending: bool


@dataclass(frozen=True)
class Range:
    """Keys of one field between two cuts."""

    path: FieldPath
    low: Cut
    high: Cut

    def holds(self, key: bytes) -> bool:
        return self.low.bound <= key < self.high.bound


@dataclass(frozen=True)
class Conjunction:
    """What all has to hold; every key is an encoded value."""

    equals: tuple[tuple[FieldPath, bytes], ...] = ()
    contains: tuple[tuple[FieldPath, bytes], ...] = ()
    ranges: tuple[Range, ...] = ()
    excluded: tuple[tuple[FieldPath, frozenset[bytes]], ...] = ()

    def matches(self, key_of: KeyOf) -> bool:
        """Whether the document behind `key_of` satisfies everything."""
        return (
            all(key_of.field(path) == key for path, key in self.equals)
            and all(_within(key_of.field(each.path), each) for each in self.ranges)
            and all(_not_among(key_of.field(path), keys) for path, keys in self.excluded)
            and all(key in key_of.elements(path) for path, key in self.contains)
        )


def _within(key: bytes | None, wanted: Range) -> bool:
    return key is not None and wanted.holds(key)


def _not_among(key: bytes | None, keys: frozenset[bytes]) -> bool:
    return key is not None and key not in keys


class KeyOf:
    """The encoded fields of one document, each encoded once."""

    __slots__ = ("_fields", "_path_key", "_keys")

    def __init__(self, fields: Any, path_key: bytes) -> None:
        self._fields, self._path_key = fields, path_key
        self._keys: dict[FieldPath, bytes | None] = {}

    def field(self, path: FieldPath) -> bytes | None:
        """The encoded value at `path`, None when there is none."""
        if path == NAME:
            return self._path_key
        if path not in self._keys:
            value = fieldpath.get(self._fields, path)
            self._keys[path] = None if value is None else encode(value)
        return self._keys[path]

    def elements(self, path: FieldPath) -> set[bytes]:
        """The encoded elements of the array at `path`."""
        value = fieldpath.get(self._fields, path)
        if value is None or value.WhichOneof("value_type") != "array_value":
            return set()
        return {encode(element) for element in value.array_value.values}


@dataclass(frozen=True)
class Plan:
    """A checked query. `orders` is total: it ends with the name. `start` and `end` are cuts of the sort key."""

    parent: Path
    collection_id: str
    all_descendants: bool
    disjuncts: tuple[Conjunction, ...]
    orders: tuple[Order, ...]
    start: Cut | None = None
    end: Cut | None = None
    offset: int = 0
    limit: int | None = None
    projection: tuple[FieldPath, ...] | None = None
    present: tuple[FieldPath, ...] = ()

    @property
    def scope_name(self) -> str:
        """The collection's full name, or database/group for a query over a group."""
        if self.all_descendants:
            return f"{self.parent.database}/{self.collection_id}"
        return f"{self.parent.name}/{self.collection_id}"

    def covers(self, collection_name: str) -> bool:
        """Whether documents of that collection are candidates."""
        if not self.all_descendants:
            return collection_name == self.scope_name
        if not collection_name.endswith("/" + self.collection_id):
            return False
        return collection_name.startswith(self.parent.name + "/")

    def sort_key(self, fields: Any, path_key: bytes) -> bytes | None:
        """Where a document of the scope stands in the results, cursors applied; None when it is none of them."""
        key_of = KeyOf(fields, path_key)
        if not any(conjunction.matches(key_of) for conjunction in self.disjuncts):
            return None
        if any(key_of.field(path) is None for path in self.present):
            return None
        parts = []
        for path, descending in self.orders:
            key = key_of.field(path)
            if key is None:
                return None
            parts.append(invert(key) if descending else key)
        key = b"".join(parts)
        return key if self.between_cursors(key) else None

    def between_cursors(self, key: bytes) -> bool:
        if self.start is not None and key < self.start.bound:
            return False
        return self.end is None or key < self.end.bound
