"""Searching 100, 1,000 and 10,000 notes: Memex's own search on the local cloud's Firestore, by words alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any

from google.cloud import firestore

from bench.lab import Lab
from bench.row import Row, own_row
from bench.timing import timed
from shared.clock import SystemClock
from shared.ids import UlidSource
from shared.search.service import Search
from shared.search.terms import terms_of
from shared.store.workspace import WorkspaceStore

SIZES = (100, 1_000, 10_000)
GOAL_MS = 50.0
BATCH = 40
"""Notes a commit: a small one keeps the indexes up to date, as notes that come one by one do."""
WORDS, VOCABULARY, LENGTH = ("the", "of", "and", "in", "to"), 6_000, 60
BEGUN = datetime(2025, 1, 1, tzinfo=timezone.utc)


def run(lab: Lab) -> Iterator[Row]:
    client = lab.firestore_client(lab.local.address)
    rounds = lab.rounds(30)
    for size in SIZES:
        search, vocabulary = _filled(client, size), _vocabulary()
        queries = {
            "a frequent word": vocabulary[0],
            "two frequent words": f"{vocabulary[1]} {vocabulary[2]}",
            "a frequent and a rare word": f"{vocabulary[0]} {vocabulary[VOCABULARY // 2]}",
            "four words": " ".join(vocabulary[place] for place in (10, 50, 400, 4_000)),
            "the beginning of a word": vocabulary[20][:4],
        }
        for what, query in queries.items():
            times = [timed(partial(search.search, query, limit=20)) * 1000 for _ in range(rounds + 5)][5:]
            yield own_row("search", f"{size:,} notes, {what}", "ms", times, GOAL_MS)


def _filled(client: firestore.Client, size: int) -> Search:
    """The search of a workspace with so many notes and their indexes."""
    randomness, clock = random.Random(size), SystemClock()
    store = WorkspaceStore(client, f"search-{size}", clock, randomness, UlidSource(clock, randomness))
    search, vocabulary = Search(store), _vocabulary()
    weights = [1 / (place + 5) for place in range(VOCABULARY)]
    for first in range(0, size, BATCH):
        batch = client.batch()
        for number in range(first, min(size, first + BATCH)):
            words = randomness.choices(vocabulary, weights, k=LENGTH)
            _write(client, batch, store.workspace, number, words)
        batch.commit()
        search.search(vocabulary[0], limit=1)  # a search makes the index tables, which the next commit then keeps
    return search


def _write(client: firestore.Client, batch: Any, workspace: str, number: int, words: list[str]) -> None:
    title, body = " ".join(words[:5]), " ".join(f"{word} {WORDS[at % len(WORDS)]}" for at, word in enumerate(words))
    tags, at = [f"tag-{number % 50:02}"], BEGUN + timedelta(minutes=number)
    common = {"id": f"n{number}", "title": title, "tags": tags, "kind": "capture", "created_at": at, "updated_at": at}
    terms = terms_of(title, body, tags)
    index = {"terms": list(terms.terms), "frequencies": terms.frequencies, "length": terms.length}
    root = client.document(f"workspaces/{workspace}")
    batch.set(root.collection("notes").document(f"n{number}"), common | {"body": body, "body_bytes": len(body)})
    batch.set(root.collection("note_index").document(f"n{number}"), common | index | {"note_updated_at": at})


def _vocabulary() -> list[str]:
    """Words that look like some, the same each time."""
    randomness = random.Random(7)
    syllables = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
    found: dict[str, None] = {}
    while len(found) < VOCABULARY:
        ending = randomness.choice(("", "s", "ing", "ed"))
        found["".join(randomness.choices(syllables, k=randomness.randint(2, 4))) + ending] = None
    return list(found)
