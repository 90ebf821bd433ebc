"""What an index holds of one document: an entry's key is the encoded fields strung together (inverted where the
order descends), then the document's path, so that one contiguous, ordered range of keys answers one query.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from infra.local.firestore import fieldpath
from infra.local.firestore.encoding import encode, invert
from infra.local.firestore.fieldpath import FieldPath

ASCENDING, DESCENDING, CONTAINS = "asc", "desc", "contains"


class Component(NamedTuple):
    """One field of an index and how it is laid down; at most one of a shape CONTAINS."""

    path: FieldPath
    kind: str


Shape = tuple[Component, ...]


class Index(NamedTuple):
    """A built index."""

    id: int
    shape: Shape
    name_descending: bool


def entry_keys(index: Index, path_key: bytes, fields: Any) -> set[bytes]:
    """The keys a document has in an index: none when it lacks a field, one per element for CONTAINS."""
    tail = invert(path_key) if index.name_descending else path_key
    heads = [b""]
    for path, kind in index.shape:
        value = fieldpath.get(fields, path)
        if value is None:
            return set()
        if kind == CONTAINS:
            if value.WhichOneof("value_type") != "array_value":
                return set()
            heads = [head + element for head in heads for element in {encode(v) for v in value.array_value.values}]
        else:
            part = encode(value)
            part = invert(part) if kind == DESCENDING else part
            heads = [head + part for head in heads]
    return {head + tail for head in heads}
