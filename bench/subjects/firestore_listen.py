"""From the beginning of a write to the moment a listener is told of it."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from typing import Any

from google.cloud import firestore
from google.cloud.firestore import FieldFilter

from bench.lab import Lab
from bench.row import Row, time_row
from bench.timing import Operation, compare

GOAL = 1.0
PATIENCE_SECONDS = 10.0


def run(lab: Lab) -> Iterator[Row]:
    kinds: dict[str, Callable[[firestore.Client], Any]] = {
        "of a document": lambda client: _document(client),
        "of a query": lambda client: client.collection("watched").where(filter=FieldFilter("state", "==", "open")),
    }
    for name, target in kinds.items():
        listeners = {side: _Listener(client, target(client)) for side, client in lab.firestores.items()}
        sides: dict[str, Operation] = {side: listener.write_and_wait for side, listener in listeners.items()}
        yield time_row("listen", f"write until told, {name}", compare(sides, lab.plan), GOAL)
        for listener in listeners.values():
            listener.close()


def _document(client: firestore.Client) -> firestore.DocumentReference:
    return client.collection("watched").document("w")


class _Listener:
    def __init__(self, client: firestore.Client, target: Any) -> None:
        self._written = _document(client)
        self._heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._watch = target.on_snapshot(self._hear)
        self._heard.get(timeout=PATIENCE_SECONDS)

    def write_and_wait(self, number: int) -> None:
        self._written.set({"state": "open", "number": number})
        while self._heard.get(timeout=PATIENCE_SECONDS) != number:
            pass

    def close(self) -> None:
        self._watch.unsubscribe()

    def _hear(self, snapshots: list[Any], _changes: Any, _read_time: Any) -> None:
        self._heard.put((snapshots[0].to_dict() or {}).get("number") if snapshots else None)
