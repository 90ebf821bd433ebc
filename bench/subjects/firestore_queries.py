"""Queries over 10,000 documents that stay as they are: to the last message on the wire, and through the client.

The goal is the server's: the client takes its own time to make Python values of 100 answers, the same for any server,
and where that alone is over a quarter of what Google's emulator takes with it, no server could be four times as fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any

from google.cloud import firestore
from google.cloud.firestore import FieldFilter
from google.cloud.firestore_v1.types import RunQueryRequest

from bench import servers
from bench.canned import METHOD
from bench.corpus import fill
from bench.lab import PROJECT, Lab
from bench.row import GOOGLE, LOCAL, Row, time_row
from bench.timing import Operation, Plan, compare
from bench.wire import Reader

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
    "equality, 100 results": _where("kind", "==", "kind-07"),
    "order and limit 50": lambda c: _ranked(c).limit(50),
    "range, 100 results": _where("rank", "<", 100),
    "inequality and two orders, limit 100": _among,
    "array-contains, 392 results": _where("tags", "array_contains", "tag-07"),
    "collection group, 100 results": _group,
}


def run(lab: Lab) -> Iterator[Row]:
    for client in lab.firestores.values():
        fill(client, [FLAT])
        fill(client, [f"owners/o{number}/parts" for number in range(PARTS)])
    canned = lab.firestore_client(lab.running(lambda: servers.canned(lab.local.address)).address)
    for name, ask in QUERIES.items():
        yield _wire_row(lab, name, ask)
        yield from _client_rows({**lab.firestores, CANNED: canned}, name, ask, lab.plan)
    count = {side: _counting(client) for side, client in lab.firestores.items()}
    yield time_row("queries", "count of 5,000", compare(count, lab.plan), GOAL)
    everything = Plan(lab.rounds(3), warm_up=1)
    yield from _client_rows(lab.firestores, "all 10,000", lambda c: c.collection(FLAT), everything)


def _wire_row(lab: Lab, name: str, ask: Ask) -> Row:
    """From the request to the last message of the answer, as bytes that nobody decodes."""
    with ExitStack() as open_readers:
        sides: dict[str, Operation] = {}
        for side, server in lab.firestore_servers.items():
            reader = open_readers.enter_context(Reader(server.address))
            sides[side] = _calling(reader, _request(ask(lab.firestores[side])))
        answers = {operation(0) for operation in sides.values()}
        if len(answers) != 1 or not all(answers):
            raise ValueError(f"The sides should answer {name!r} with as many messages: {answers}")
        return time_row("queries", name, compare(sides, lab.plan), GOAL)


def _calling(reader: Reader, request: bytes) -> Operation:
    return lambda _: reader.call(METHOD, request)


def _request(query: Any) -> bytes:
    """The request that the client itself would send, which it gives nobody by a public name."""
    parent = f"projects/{PROJECT}/databases/(default)/documents"
    request = RunQueryRequest(parent=parent, structured_query=query._to_protobuf())
    return bytes(RunQueryRequest.serialize(request))


def _counting(client: firestore.Client) -> Operation:
    counted = _where("rank", ">=", 5000)(client).count()
    return lambda _: counted.get()


def _client_rows(clients: Mapping[str, firestore.Client], name: str, ask: Ask, plan: Plan) -> Iterator[Row]:
    """The same through the client, and what of it a server that costs nothing would reach in the same rounds."""
    sides = {side: (lambda _, client=client: ask(client).get()) for side, client in clients.items()}
    series = compare(sides, plan)
    yield time_row("client", name, series)
    if CANNED in series:
        bound = {LOCAL: series[CANNED], **{side: each for side, each in series.items() if side == GOOGLE}}
        yield time_row("bound", name, bound)
