"""Queries over 10,000 documents that stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from google.cloud import firestore
from google.cloud.firestore import FieldFilter

from bench import servers
from bench.corpus import fill
from bench.lab import Lab
from bench.row import GOOGLE, LOCAL, Row, time_row
from bench.timing import Plan, compare

GOAL = 4.0
FLAT, PARTS = "items", 20
CANNED = "canned"
Ask = Callable[[firestore.Client], Any]


def _where(field: str, operator: str, value: Any) -> Callable[[firestore.Client], Any]:
    return lambda client: client.collection(FLAT).where(filter=FieldFilter(field, operator, value))


def _ranked(client: firestore.Client) -> Any:
    return client.collection(FLAT).order_by("rank", direction=firestore.Query.DESCENDING)


def _among(client: firestore.Client) -> Any:
    wanted = _where("rank", ">=", 5000)(client)
    return wanted.order_by("rank").order_by("title").limit(100)


def _group(client: firestore.Client) -> Any:
    return client.collection_group("parts").where(filter=FieldFilter("kind", "==", "kind-07"))


QUERIES: dict[str, Ask] = {
    "equality, 100 results": lambda c: _where("kind", "==", "kind-07")(c).get(),
    "order and limit 50": lambda c: _ranked(c).limit(50).get(),
    "range, 100 results": lambda c: _where("rank", "<", 100)(c).get(),
    "inequality and two orders, limit 100": lambda c: _among(c).get(),
    "array-contains, 392 results": lambda c: _where("tags", "array_contains", "tag-07")(c).get(),
    "count of 5,000": lambda c: _where("rank", ">=", 5000)(c).count().get(),
    "collection group, 100 results": lambda c: _group(c).get(),
}
COUNTS = {"count of 5,000"}
"""One message: there is nothing to see of what a server costs for each."""


def run(lab: Lab) -> Iterator[Row]:
    for client in lab.firestores.values():
        fill(client, [FLAT])
        fill(client, [f"owners/o{number}/parts" for number in range(PARTS)])
    canned = lab.firestore_client(lab.running(lambda: servers.canned(lab.local.address)).address)
    for name, ask in QUERIES.items():
        sides = lab.firestores if name in COUNTS else {**lab.firestores, CANNED: canned}
        yield from _rows(sides, name, ask, lab.plan, GOAL)
    everything = Plan(lab.rounds(3), warm_up=1)
    yield from _rows(
        lab.firestores, "all 10,000 (the client's decoding)", lambda c: c.collection(FLAT).get(), everything
    )


def _rows(
    clients: Mapping[str, firestore.Client], name: str, ask: Ask, plan: Plan, goal: float | None = None
) -> Iterator[Row]:
    """The comparison, and what of it a server that costs nothing would reach in the same rounds."""
    sides = {side: (lambda _, client=client: ask(client)) for side, client in clients.items()}
    series = compare(sides, plan)
    yield time_row("queries", name, series, goal)
    if CANNED in series:
        bound = {LOCAL: series[CANNED], **{side: each for side, each in series.items() if side == GOOGLE}}
        yield time_row("bound", name, bound)
