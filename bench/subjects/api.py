"""Memex's own API through the front: notes, and the first frame of an event stream."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx

from bench import servers
from bench.lab import Lab
from bench.row import Row, own_row
from bench.timing import timed

PATIENCE_SECONDS, LOOK_SECONDS = 60.0, 0.05
BODY = "The battery was warm in the evening and the meter ran backwards. " * 20


def run(lab: Lab) -> Iterator[Row]:
    server = lab.running(lambda: servers.memex_up("--run-seconds", "0.5"))
    headers = {"Authorization": f"Bearer {server.facts['token']}"}
    base = f"{server.facts['http']}/api/v1"
    with httpx.Client(base_url=base, headers=headers, trust_env=False, timeout=PATIENCE_SECONDS) as client:
        rounds = lab.rounds(100)
        yield _row("POST a note", lambda: _create(client, []), rounds)
        note = _create(client, ["research"])
        yield _row("GET a note", lambda: _get(client, f"/notes/{note}"), rounds)
        yield _row("GET 20 notes", lambda: _get(client, "/notes?limit=20"), rounds)
        operation = _researched(client, note)
        yield _row("events of an operation, first frame", lambda: _first_frame(client, operation), rounds)
    server.stop()


def _row(what: str, act: Callable[[], Any], rounds: int) -> Row:
    return own_row("api", what, "ms", [timed(act) * 1000 for _ in range(rounds + 10)][10:])


def _create(client: httpx.Client, tags: list[str]) -> str:
    answer = client.post("/notes", json={"title": "A note", "body": BODY, "tags": tags})
    answer.raise_for_status()
    return str(answer.json()["note"]["id"])


def _get(client: httpx.Client, path: str) -> Any:
    return client.get(path).raise_for_status().json()


def _researched(client: httpx.Client, note: str) -> str:
    """The operation that researched the note, ended."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        for operation in _get(client, "/operations?status=completed")["operations"]:
            if operation["source_note_id"] == note:
                return str(operation["id"])
        time.sleep(LOOK_SECONDS)
    raise TimeoutError("the research does not end")


def _first_frame(client: httpx.Client, operation: str) -> None:
    headers = {"Accept": "text/event-stream"}
    with client.stream("GET", f"/operations/{operation}/events", headers=headers) as answer:
        for line in answer.iter_lines():
            if line.startswith("data:"):
                return
    raise RuntimeError("no event came")
