"""One document at a time: reads, writes, transactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from google.cloud import firestore

from bench.corpus import document
from bench.lab import Lab
from bench.row import Row, time_row
from bench.timing import compare

READ_GOAL, WRITE_GOAL = 1.0, 0.7
KNOWN = 500
Act = Callable[[firestore.Client, int], Any]


@firestore.transactional
def _count_up(transaction: firestore.Transaction, reference: firestore.DocumentReference) -> None:
    count = reference.get(transaction=transaction).get("rank")
    transaction.update(reference, {"rank": count + 1})


def _known(client: firestore.Client, number: int) -> firestore.DocumentReference:
    return client.collection("singles").document(f"d{number % KNOWN}")


def _new(client: firestore.Client, number: int) -> firestore.DocumentReference:
    return client.collection("fresh").document(f"d{number}")


READS: dict[str, Act] = {"get": lambda c, n: _known(c, n).get()}
BULK: dict[str, Act] = {"get_all of 50": lambda c, n: list(c.get_all([_known(c, n + each) for each in range(50)]))}
WRITES: dict[str, Act] = {
    "create": lambda c, n: _new(c, n).create(document(n)),
    "set": lambda c, n: _known(c, n).set(document(n)),
    "update of one field": lambda c, n: _known(c, n).update({"rank": n}),
    "transaction: get, update": lambda c, n: _count_up(c.transaction(), _known(c, n)),
}


def run(lab: Lab) -> Iterator[Row]:
    for client in lab.firestores.values():
        batch = client.batch()
        for number in range(KNOWN):
            batch.set(_known(client, number), document(number))
        batch.commit()
    for acts, goal in ((READS, READ_GOAL), (WRITES, WRITE_GOAL), (BULK, None)):
        for name, act in acts.items():
            sides = {side: (lambda n, c=client, act=act: act(c, n)) for side, client in lab.firestores.items()}
            yield time_row("documents", name, compare(sides, lab.plan), goal)
