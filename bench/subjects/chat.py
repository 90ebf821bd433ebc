"""A chat turn with a model that answers at once: what is left is ours. And what a turn writes, early and late."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from google.cloud.firestore_v1 import Client, WriteBatch

from bench.lab import Lab
from bench.row import Row, own_row
from shared.chat.beginning import Said
from shared.chat.ports import Ports
from shared.chat.service import Chat
from shared.chat.sessions import create
from shared.clock import SystemClock
from shared.config import Settings
from shared.contracts.chat import SessionCreate
from shared.contracts.operations import Usage
from shared.gateway.transport import Cut, cut_error
from shared.ids import UlidSource
from shared.llm.port import Answer, Capabilities, Delta, Message, Model, ModelRequest, Text, TextDelta
from shared.sessions.firestore import FirestoreShelf
from shared.sessions.owned import OwnedSessions
from shared.sessions.store import Store
from shared.store.workspace import WorkspaceStore
from shared.tools.catalogue import acting

WINDOW = 20
AT = (1, 100, 1000)
CANCEL_MS, PATIENCE_SECONDS = 2000.0, 30.0
GATE = 1.1
"""How many times as long a first event may take where agent runs are allowed: noise, and nothing else."""
GROWTH = 1.1
"""How many times what the first turns write the latest may write."""
QUESTION = "What do my notes say about the dough that rested in the fridge over night?"
ANSWER = "The dough with rye rested fourteen hours at four degrees, and its crumb came out more sour. " * 3


class Instant:
    """Answers without thinking."""

    name, capabilities = "instant", Capabilities()

    def stream(self, request: ModelRequest, cut: Cut) -> Iterator[Delta]:
        yield TextDelta(ANSWER)
        yield Answer(Message("model", (Text(ANSWER),), "instant", "{}"), Usage(input_tokens=10, output_tokens=10))


class Silent:
    """Begins, and then says nothing until it is cut."""

    name, capabilities = "silent", Capabilities()

    def stream(self, request: ModelRequest, cut: Cut) -> Iterator[Delta]:
        yield TextDelta("I was ")
        cut.wait(PATIENCE_SECONDS)
        raise cut_error(cut)


class Nowhere:
    """Starts nothing."""

    def start(self, workflow: str, argument: Mapping[str, Any]) -> str:
        return "none"

    def alive(self, name: str) -> bool:
        return True

    def cancel(self, name: str) -> None:
        """Nothing runs."""


@dataclass
class Written:
    """Bytes of the writes that were committed since `take`."""

    size: int = 0

    def take(self) -> int:
        size, self.size = self.size, 0
        return size


def run(lab: Lab) -> Iterator[Row]:
    client, written = lab.firestore_client(lab.local.address), Written()
    count_writes(client, written)
    clock, randomness = SystemClock(), random.Random(1)
    ids = UlidSource(clock, randomness)
    store = WorkspaceStore(client, "bench-chat", clock, randomness, ids)
    chat = Chat(_ports(store, clock, ids, Instant()))
    session = create(store, SessionCreate(), clock=clock, ids=ids, key=None)[0].id
    turns = [_turn(chat, session, written) for _ in range(AT[-1] + WINDOW)]
    first = statistics.median(bytes_written for _, _, bytes_written in turns[:WINDOW])
    for n in AT:
        window = turns[n - 1 : n - 1 + WINDOW]
        yield own_row("chat", f"first event, turn {n}", "ms", [one[0] * 1000 for one in window])
        yield own_row(
            "chat", f"whole turn over the model's own time, turn {n}", "ms", [one[1] * 1000 for one in window]
        )
        sizes = [float(one[2]) for one in window]
        yield own_row("chat", f"bytes written, turn {n}", "bytes", sizes, at_most=round(first * GROWTH))

    gated = {runs: Chat(_ports(store, clock, ids, Instant(), runs=runs)) for runs in (True, False)}
    shares = [_gate_share(gated, session, written) for _ in range(lab.rounds(200))]
    yield own_row("chat", "first event with agent runs on, over the same with them off", "x", shares, GATE)

    here, elsewhere = (Chat(_ports(store, clock, ids, Silent())) for _ in range(2))
    times = [_cancelled(here, elsewhere, session) * 1000 for _ in range(lab.rounds(20))]
    yield own_row("chat", "cancel from another process, until the stream has ended", "ms", times, CANCEL_MS)


def _gate_share(gated: Mapping[bool, Chat], session: str, written: Written) -> float:
    """One turn of each, one after the other: how many times as long the first event takes where runs are allowed."""
    first = {runs: _turn(gated[runs], session, written)[0] for runs in gated}
    return first[True] / first[False]


def _cancelled(here: Chat, elsewhere: Chat, session: str) -> float:
    """Seconds from the cancel of a turn whose model is silent to the end of its stream."""
    answering, begun = here.answer(Said("bench-chat", session, QUESTION)), 0.0
    for frame in answering.frames:
        if not begun and "event: delta" in frame:
            begun = time.perf_counter()
            elsewhere.cancel("bench-chat", session)
    answering.leave()
    return time.perf_counter() - begun


def _turn(chat: Chat, session: str, written: Written) -> tuple[float, float, int]:
    """Seconds to the first event, seconds to the end, bytes written."""
    written.take()
    begun = time.perf_counter()
    answering, first = chat.answer(Said("bench-chat", session, QUESTION)), 0.0
    for frame in answering.frames:
        if not first and frame.startswith("id:"):
            first = time.perf_counter() - begun
    seconds = time.perf_counter() - begun
    answering.leave()
    return first, seconds, written.take()


def _ports(store: WorkspaceStore, clock: SystemClock, ids: UlidSource, model: Model, *, runs: bool = False) -> Ports:
    tools = acting(runs=runs)
    return Ports(
        store=lambda _workspace: store,
        model=lambda: model,
        tools=lambda: tools,
        services=_nothing,
        sessions=lambda _workspace: OwnedSessions(Store(FirestoreShelf(store)), "bench-chat"),
        executions=Nowhere(),
        clock=clock,
        ids=ids,
        settings=Settings(project="memex-local", allow_agent_runs=runs),
    )


def _nothing(workspace: str) -> Any:
    raise RuntimeError(f"no tool is offered in {workspace}")


def count_writes(client: Client, written: Written) -> None:
    """Have the client count what its batches write."""

    class Counting(WriteBatch):
        def commit(self, *args: Any, **options: Any) -> Any:
            written.size += sum(type(one).pb(one).ByteSize() for one in self._write_pbs)
            return super().commit(*args, **options)

    vars(client)["batch"] = lambda: Counting(client)
