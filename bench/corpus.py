"""Ten thousand documents, the same on every side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from google.cloud import firestore

DOCUMENTS, BATCH = 10_000, 500
KINDS = 100
"""An equality on `kind` finds one document in a hundred."""
BODY = "A paragraph of some two hundred characters, as a note might begin: " + "the sun was low and the meter ran. " * 4


def document(number: int) -> dict[str, Any]:
    """The fields of document `number`: strings, numbers, an array, a map."""
    return {
        "title": f"Note {number:05}",
        "kind": f"kind-{number % KINDS:02}",
        "rank": number * 7919 % DOCUMENTS,
        "score": (number % 977) / 7,
        "tags": [f"tag-{number % 50:02}", f"tag-{number % 49:02}"],
        "meta": {"words": number % 300, "lang": "en"},
        "body": BODY,
    }


def fill(client: firestore.Client, names: Iterable[str]) -> None:
    """Write the documents, spread evenly over the collections of these names."""
    collections = [client.collection(name) for name in names]
    for first in range(0, DOCUMENTS, BATCH):
        batch = client.batch()
        for number in range(first, first + BATCH):
            batch.set(collections[number % len(collections)].document(f"d{number:05}"), document(number))
        batch.commit()
