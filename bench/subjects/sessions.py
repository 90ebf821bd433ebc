"""The session stores: what it takes to read and to save a conversation's checkpoint at its 1st, 100th, 1,000th turn."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

import httpx

from bench.lab import Lab
from bench.row import Row, own_row
from bench.subjects.chat import Written, count_writes
from shared.chat.state import MET
from shared.clock import SystemClock
from shared.contracts.limits import SUMMARY_CHARACTERS
from shared.contracts.sessions import ChatCheckpoint, CheckpointEnvelope, Met, ToolState
from shared.gateway.transport import build_client
from shared.ids import UlidSource
from shared.sessions.agent_engine.place import FixedToken, Place
from shared.sessions.agent_engine.rest import Service
from shared.sessions.agent_engine.shelf import AgentEngineShelf
from shared.sessions.firestore import FirestoreShelf
from shared.sessions.memory import MemoryShelf
from shared.sessions.sqlite import SqliteShelf
from shared.sessions.store import Store
from shared.store.workspace import WorkspaceStore

AT, WINDOW = (1, 100, 1000), 20
SESSION = "01J9Z3K4M5N6P7Q8R9S0T1V2W3"
FOLDED_EVERY = 50
BEGUN = datetime(2026, 11, 30, tzinfo=timezone.utc)


@dataclass(frozen=True)
class Subject:
    """A store, and how many bytes it has moved since it was asked last; None where that is the text itself."""

    store: Store
    moved: Callable[[], int] | None = None


class Counting(httpx.BaseTransport):
    """Counts the bodies that go out and come in."""

    def __init__(self) -> None:
        self._inner, self._moved = httpx.HTTPTransport(trust_env=False, verify=False), 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._inner.handle_request(request)
        self._moved += len(request.content) + len(answer.read())
        return answer

    def take(self) -> int:
        moved, self._moved = self._moved, 0
        return moved

    def close(self) -> None:
        self._inner.close()


def run(lab: Lab) -> Iterator[Row]:
    for kind, subject in _subjects(lab).items():
        try:
            yield from _rows(kind, subject)
        finally:
            subject.store.close()


def _rows(kind: str, subject: Subject) -> Iterator[Row]:
    subject.store.hydrate(SESSION)  # connections are made, files are there
    turns = [_turn(subject, n) for n in range(1, AT[-1] + WINDOW)]
    for n in AT:
        window = turns[n - 1 : n - 1 + WINDOW]
        yield own_row("sessions", f"{kind}: hydrate, turn {n}", "ms", [one["hydrate"] for one in window])
        yield own_row("sessions", f"{kind}: persist, turn {n}", "ms", [one["persist"] for one in window])
        yield own_row("sessions", f"{kind}: bytes to hydrate, turn {n}", "bytes", [one["read"] for one in window])
        yield own_row("sessions", f"{kind}: bytes to persist, turn {n}", "bytes", [one["written"] for one in window])


def _turn(subject: Subject, n: int) -> Mapping[str, float]:
    """Save the checkpoint of a turn, and read it as the next turn does."""
    envelope = envelope_at(n)
    text = len(envelope.model_dump_json().encode())
    moved = subject.moved or (lambda: text)
    moved()
    begun = time.perf_counter()
    subject.store.persist(SESSION, envelope)
    persisted, written = time.perf_counter() - begun, moved()
    begun = time.perf_counter()
    subject.store.hydrate(SESSION)
    hydrated, read = time.perf_counter() - begun, moved()
    return {"persist": persisted * 1000, "written": written, "hydrate": hydrated * 1000, "read": read or text}


def envelope_at(turn: int) -> CheckpointEnvelope:
    """The checkpoint of a conversation that talks about its notes, as the chat makes it after that turn."""
    folds = max(0, turn - FOLDED_EVERY) // FOLDED_EVERY
    summary = "".join(f"In turn {n} they spoke of bread, rye and the oven. " for n in range(folds * FOLDED_EVERY))
    met = tuple(Met(title=f"A note on rye, number {n}", note_id=f"note-{n}") for n in range(turn, turn + MET))
    checkpoint = ChatCheckpoint(
        seq=turn * 6,
        summary=summary[-SUMMARY_CHARACTERS:],
        summarised_turns=folds * FOLDED_EVERY,
        tools=ToolState(calls={"search_notes": turn, "read_note": turn // 2}, met=met),
    )
    data: dict[str, Any] = checkpoint.model_dump(mode="json")
    return CheckpointEnvelope(owner="bench", version=turn, saved_at=BEGUN + timedelta(seconds=turn), data=data)


def _subjects(lab: Lab) -> dict[str, Subject]:
    client, written, line = lab.firestore_client(lab.local.address), Written(), Counting()
    count_writes(client, written)
    clock, randomness = SystemClock(), random.Random(1)
    store = WorkspaceStore(client, "bench-sessions", clock, randomness, UlidSource(clock, randomness))
    place = Place("memex-local", "us-central1", "1", base_url=lab.local.facts["http"])
    service = Service(place, FixedToken("local"), clock, randomness, build_client(line))
    return {
        "memory": Subject(Store(MemoryShelf())),
        "sqlite": Subject(Store(SqliteShelf(lab.folder / "sessions.sqlite"))),
        "firestore": Subject(Store(FirestoreShelf(store)), written.take),
        "agent-engine": Subject(Store(AgentEngineShelf(service)), line.take),
    }
