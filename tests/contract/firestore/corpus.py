"""Collections that the query tests ask about."""

from __future__ import annotations

import datetime
import math
from typing import Any

from google.cloud import firestore
from google.cloud.firestore_v1.vector import Vector

ORDERED: list[Any] = [
    None,
    False,
    True,
    math.nan,
    -math.inf,
    -(2**63),
    -1.5,
    0,
    1,
    1.5,
    2**53,
    2**53 + 1,
    2**63 - 1,
    math.inf,
    datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc),
    "",
    "a",
    "a\x00b",
    "ab",
    "é",
    "\U0001f600",
    b"",
    b"a",
    b"a\x00",
    firestore.GeoPoint(-1, 2),
    firestore.GeoPoint(1, -2),
    firestore.GeoPoint(1, 2),
    [],
    [1],
    [1, 2],
    ["a"],
    Vector([3.0]),
    Vector([1.0, 2.0]),
    {},
    {"a": 1},
    {"a": 1, "b": 2},
    {"a": [1]},
    {"b": 0},
]
"""Values of every type, in their order."""


def fill(client: firestore.Client, count: int = 30) -> firestore.CollectionReference:
    """A collection `q` of documents with fields that repeat, nest, and are absent here and there."""
    collection = client.collection("q")
    batch = client.batch()
    for n in range(count):
        data = {"a": n % 3, "b": n % 5, "c": n, "t": [n % 4, n % 7], "n": {"x": n % 2, "y": str(n)}}
        if n % 4:
            data["o"] = n / 2 if n % 2 else n
        batch.set(collection.document(f"d{n:03}"), data)
    batch.commit()
    return collection


def numbers(query: Any) -> list[int]:
    """The field `c` of each result, in order."""
    return [each.get("c") for each in query.stream()]
