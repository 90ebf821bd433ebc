"""Batches of 500 writes: to a collection that nobody queries, and to one that has been queried by several fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from google.cloud import firestore
from google.cloud.firestore import FieldFilter

from bench.corpus import BATCH, document
from bench.lab import Lab
from bench.row import Row, time_row
from bench.timing import Plan, Prepared, compare

GOAL = 0.5
UNQUERIED, QUERIED = "heap", "shelf"


def run(lab: Lab) -> Iterator[Row]:
    plan = Plan(lab.rounds(15), warm_up=8)
    yield _row(lab, "create 500, never queried", lambda c, n: _filled(c, UNQUERIED, n * BATCH, 0), plan)
    for client in lab.firestores.values():
        _commit(_filled(client, QUERIED, 0, 0))
        _query(client)
    yield _row(lab, "create 500, three fields queried before", lambda c, n: _filled(c, QUERIED, n * BATCH, 0), plan)
    yield _row(lab, "set 500 anew, three fields queried before", lambda c, n: _filled(c, QUERIED, 0, n), plan)
    sides = {side: Prepared(*_with_query(client)) for side, client in lab.firestores.items()}
    yield time_row("batches", "set 500 anew, then a query for 20 of them", compare(sides, plan))


def _row(lab: Lab, what: str, fill: Callable[[firestore.Client, int], Any], plan: Plan) -> Row:
    sides = {side: Prepared(partial(fill, client), _commit) for side, client in lab.firestores.items()}
    return time_row("batches", what, compare(sides, plan), GOAL)


def _filled(client: firestore.Client, collection: str, first: int, shift: int) -> Any:
    """A batch that is not yet sent: making it is the client's work alone, and takes longer than the server's."""
    batch = client.batch()
    for each in range(first, first + BATCH):
        batch.set(client.collection(collection).document(f"d{each:07}"), document(each + shift))
    return batch


def _commit(batch: Any) -> None:
    batch.commit()


def _with_query(client: firestore.Client) -> tuple[Callable[[int], Any], Callable[[Any], object]]:
    def act(batch: Any) -> None:
        batch.commit()
        client.collection(QUERIED).order_by("rank").limit(20).get()

    return lambda number: _filled(client, QUERIED, 0, number), act


def _query(client: firestore.Client) -> None:
    shelf = client.collection(QUERIED)
    shelf.where(filter=FieldFilter("kind", "==", "kind-07")).get()
    shelf.order_by("rank").limit(10).get()
    shelf.where(filter=FieldFilter("tags", "array_contains", "tag-07")).get()
