"""Remembering with 100, 1,000 and 10,000 records behind: adding one, seeing that one is known, and recall, by rule."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any
from unittest import mock

from google.cloud import firestore

from bench import servers
from bench.lab import Lab
from bench.memory.living import Calendar
from bench.row import Row, own_row
from bench.timing import timed
from shared.brain.agent import Desk, Outcome
from shared.brain.registry import agents
from shared.contracts.jobs import MemoryJob
from shared.contracts.memory import (
    BlackboardItem,
    Candidate,
    Edge,
    ItemKind,
    Node,
    Record,
    RecordType,
    SourceKind,
    SourceRef,
    Verdict,
)
from shared.contracts.notes import NoteCreate
from shared.contracts.recall import RecallAnswer
from shared.gateway.transport import Cut
from shared.ids import UlidSource
from shared.memory.indexing import index_of
from shared.memory.keys import key_of
from shared.memory.recall import READS, Recall
from shared.notes.create import create
from shared.store import blackboard, paths, records
from shared.store.database import Database
from shared.store.graph import edge_id, node_id
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Write, put

SIZES = (100, 1_000, 10_000)
RECALL_MS = 100.0
BATCH = 50
PEOPLE, PLACES, VERBS = 40, 300, ("works at", "moved to", "likes", "owns", "painted", "visits")
BEGUN = datetime(2025, 1, 1, tzinfo=timezone.utc)


class Counting(Database):
    """Counts the documents that are read."""

    read = 0

    def get(self, path: str, fields: Any = None) -> Any:
        self.read += 1
        return super().get(path, fields)

    def get_all(self, paths: Any, fields: Any = None) -> Any:
        self.read += len(paths)
        return super().get_all(paths, fields)

    def query(self, collection: str, query: Any) -> Any:
        found = super().query(collection, query)
        self.read += len(found)
        return found


class Workspace:
    """A workspace with so many records, half of them of a few people, and the graph of them."""

    def __init__(self, client: firestore.Client, size: int) -> None:
        self.clock, randomness = Calendar(BEGUN + timedelta(days=400)), random.Random(size)
        self.size, self._items = size, 0
        self.database = Counting(client, f"workspaces/memory-{size}", self.clock, randomness)
        with mock.patch("shared.store.workspace.Database", lambda *_: self.database):
            ids = UlidSource(self.clock, randomness)
            self.store = WorkspaceStore(client, f"memory-{size}", self.clock, randomness, ids)
        note = NoteCreate(title="All of it", body="They said so.")
        self.note_id = create(self.store, note, clock=self.clock, ids=ids, key="all").note.id
        for first in range(0, size, BATCH):
            numbers = range(first, min(size, first + BATCH))
            self.database.commit([write for n in numbers for write in _stored(n)], "bench")
            self.recall(f"{_person(first)} owns", 1)  # a query makes the index tables that it asks for

    def recall(self, query: str, limit: int = 8) -> RecallAnswer:
        return Recall(self.store).recall(query, limit=limit)

    def reads(self, act: Callable[[], object]) -> int:
        """Documents that were read for it."""
        before = self.database.read
        act()
        return self.database.read - before

    def candidate(self, text: str, subject: str, verb: str, place: str) -> str:
        """The id of a new item of the blackboard with that statement."""
        self._items += 1
        now, item_id = self.clock.now(), f"item-{self._items}"
        stated = Candidate(type=RecordType.FACT, subject=subject, property=verb, object=place, text=text)
        source = SourceRef(kind=SourceKind.NOTE, id=self.note_id, end=4, quote="They", said_at=now)
        item = BlackboardItem(
            id=item_id,
            kind=ItemKind.CANDIDATE_RECORD,
            source_job_id="bench",
            batch_id=item_id,
            payload=stated.model_dump(mode="json"),
            evidence_refs=(source,),
            created_at=now,
        )
        self.database.commit([blackboard.creating(item)], "bench")
        return item_id

    def work(self, agent_id: str, item_id: str) -> Outcome:
        """One job of the agent on one item, without the queue."""
        now, given = self.clock.now(), {"item_ids": [item_id]}
        job = MemoryJob(id=f"{agent_id}-{item_id}", kind=agent_id, run_after=now, created_at=now, updated_at=now)
        chosen = agents()[agent_id]
        outcome = chosen.run(chosen.input.model_validate(given), Desk(self.store, job, self.clock.now, Cut()))
        if outcome.writes:
            self.database.commit(outcome.writes, "bench")
        return outcome


def run(lab: Lab) -> Iterator[Row]:
    server = lab.running(lambda: servers.memex_up("--no-functions"))  # for the product's indexes
    client = lab.firestore_client(server.address)
    rounds = lab.rounds(20)
    for size in SIZES:
        world, behind = Workspace(client, size), f"{size:,} records"
        for what, act in (("add one, judged and committed", _adding), ("see that one is known", _knowing)):
            before = world.database.read
            yield own_row("memory", f"{behind}: {what}", "ms", act(world, rounds))
            read = (world.database.read - before) / rounds
            yield own_row("memory", f"{behind}: {what}, documents read", "", [read])
        for what, query in _queries(size).items():
            times = [timed(partial(world.recall, query)) * 1000 for _ in range(rounds + 3)][3:]
            yield own_row("memory", f"{behind}: recall, {what}", "ms", times, RECALL_MS)
            read = world.reads(partial(world.recall, query))
            yield own_row("memory", f"{behind}: recall, {what}, documents read", "", [float(read)], float(READS))


def _adding(world: Workspace, rounds: int) -> list[float]:
    """Through deduper, checker and committer, in milliseconds."""
    times = []
    for n in range(rounds):
        subject = f"Newcomer{n}x{world.size}"
        item_id = world.candidate(f"{subject} works at Place{n}.", subject, "works at", f"Place{n}")
        judged = sum(timed(partial(world.work, name, item_id)) for name in ("memory_deduper", "contradiction_checker"))
        outcomes: list[Outcome] = []
        took = timed(lambda item_id=item_id, kept=outcomes: kept.append(world.work("committer", item_id)))  # type: ignore[misc]
        if outcomes[0].counts.get("admitted") != 1:
            raise AssertionError(f"a new record was not stored: {outcomes[0].output}")
        times.append((judged + took) * 1000)
    return times


def _knowing(world: Workspace, rounds: int) -> list[float]:
    """The deduper alone, on a statement that is a record, in milliseconds."""
    times = []
    for n in range(rounds):
        known = _record(n * 7 % world.size)
        item_id = world.candidate(known.text, known.subject, known.property, known.object)
        times.append(timed(partial(world.work, "memory_deduper", item_id)) * 1000)
        critiques = world.store.blackboard.about([item_id], 10)
        if not any(one.payload["verdict"] == Verdict.MERGE for one in critiques):
            raise AssertionError(f"{known.text} was not seen to be known")
    return times


def _queries(size: int) -> dict[str, str]:
    """What many records have, what one has, and a question that names somebody."""
    return {
        "frequent words": "who owns or paints a house",
        "a rare word": f"what about Place{size // 2 % PLACES}",
        "by a name": f"Where does {_person(3)} work?",
    }


def _person(n: int) -> str:
    """Half of all records are of PEOPLE people, the others of one each."""
    return f"Friend{n // 2 % PEOPLE}" if n % 2 else f"Stranger{n}"


def _record(n: int) -> Record:
    verb, place, at = VERBS[n % len(VERBS)], f"Place{n % PLACES}", BEGUN + timedelta(minutes=n)
    text = f"{_person(n)} {verb} {place} by the house number {n}."
    return Record(
        id=f"r{n}",
        type=RecordType.FACT,
        subject=_person(n),
        subject_key=key_of(_person(n)),
        property=f"{verb} {n}",
        property_key=key_of(f"{verb} {n}"),
        object=place,
        text=text,
        sources=(SourceRef(kind=SourceKind.NOTE, id=f"n{n}", quote=text, said_at=at),),
        source_blackboard_id=f"known-{n}",
        created_at=at,
        updated_at=at,
    )


def _stored(n: int) -> Iterator[Write]:
    """A record with its two nodes and their edge."""
    record = _record(n)
    yield records.creating(record, index_of(record), None)
    ends = node_id(key_of(record.subject)), node_id(key_of(record.object))
    for end, name in zip(ends, (record.subject, record.object), strict=True):
        node = Node(id=end, key=key_of(name), name=name, record_ids=(record.id,), updated_at=record.updated_at)
        yield put(paths.node(end), node.model_dump())
    name = edge_id(*ends, record.property, record.id)
    edge = Edge(
        id=name,
        source=ends[0],
        target=ends[1],
        label=record.property,
        record_id=record.id,
        updated_at=record.updated_at,
    )
    yield put(paths.edge(name), edge.model_dump())
