"""How long until everything answers, and how much memory it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench import servers
from bench.corpus import fill
from bench.lab import Lab
from bench.row import GOOGLE, LOCAL, Row, own_row, pair_row
from bench.servers import Server

EMULATORS_SECONDS, FUNCTIONS_SECONDS = 1.0, 3.0


def run(lab: Lab) -> Iterator[Row]:
    rounds = lab.rounds(5)
    bare = [_ready(lambda: servers.memex_up("--no-functions")) for _ in range(rounds + 1)][1:]
    yield own_row("startup", "memex up --no-functions, until ready", "s", bare, EMULATORS_SECONDS)
    whole = [_ready(servers.memex_up) for _ in range(rounds + 1)][1:]
    yield own_row("startup", "memex up, until ready", "s", whole, FUNCTIONS_SECONDS)
    starts: dict[str, Callable[[], Server]] = {LOCAL: servers.local_cloud}
    if "firestore" in lab.emulators:
        starts[GOOGLE] = lambda: servers.emulator("firestore")
    seconds: dict[str, list[float]] = {side: [] for side in starts}
    empty: dict[str, list[float]] = {side: [] for side in starts}
    full: dict[str, list[float]] = {side: [] for side in starts}
    for _ in range(lab.rounds(2)):
        for side, start in starts.items():
            _measure(lab, start, seconds[side], empty[side], full[side])
    yield pair_row("startup", "all services / the Firestore emulator", "s", seconds)
    yield pair_row("footprint", "all services / the Firestore emulator, empty", "MB", empty)
    yield pair_row("footprint", "the same with 10,000 documents", "MB", full)


def _ready(start: Callable[[], Server]) -> float:
    server = start()
    server.stop()
    return server.ready_seconds


def _measure(
    lab: Lab, start: Callable[[], Server], seconds: list[float], empty: list[float], full: list[float]
) -> None:
    server = start()
    try:
        client = lab.firestore_client(server.address)
        client.document("first/one").set({})
        seconds.append(server.ready_seconds)
        empty.append(server.rss_mb())
        fill(client, ["items"])
        full.append(server.rss_mb())
    finally:
        server.stop()
