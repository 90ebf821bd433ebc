"""The month lived through: each entry is stored on its day, and the agents work on it as the queue would have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from google.cloud import firestore

from bench.memory.month import Entry
from shared.brain.agent import Desk, NewJob, Outcome
from shared.brain.models import Roles
from shared.brain.registry import agents
from shared.contracts.chat import ChatSession, Turn, TurnStatus
from shared.contracts.jobs import MemoryJob
from shared.contracts.notes import NoteCreate
from shared.errors import MemexError
from shared.gateway.transport import Cut
from shared.ids import IdSource, derived
from shared.notes.create import create
from shared.store.database import Database
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Write

FOLLOWED = frozenset({"cognitive_extractor", "committer", "graph_extractor"})
"""Of what follows a batch, what recall reads; the distillers tell of records and make none."""
TRIES = 3
_JOBS = 200


class Calendar:
    """The day that is lived through; nothing waits."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def sleep(self, seconds: float) -> None:
        return

    def set(self, now: datetime) -> None:
        self._now = now


@dataclass
class Life:
    """One workspace, its agents and their models."""

    store: WorkspaceStore
    database: Database
    client: firestore.Client
    calendar: Calendar
    ids: IdSource
    roles: Roles
    counts: Counter[str] = field(default_factory=Counter)
    """Of candidates, admitted, refused and merged, as the agents count them."""
    failures: list[str] = field(default_factory=list)

    def live(self, number: int, entry: Entry) -> None:
        """Store the entry and let the agents work until nothing follows."""
        self.calendar.set(entry.at(number))
        source = self._note(entry) if entry.is_note else self._turn(number, entry)
        self._work(NewJob("cognitive_extractor", {"source": source}), f"entry-{number}")

    def _note(self, entry: Entry) -> Mapping[str, Any]:
        request = NoteCreate(title=entry.title, body=entry.text)
        return {"kind": "note", "id": create(self.store, request, clock=self.calendar, ids=self.ids, key=None).note.id}

    def _turn(self, number: int, entry: Entry) -> Mapping[str, Any]:
        session_id, now = f"s{number}", self.calendar.now()
        session = ChatSession(id=session_id, created_at=now, updated_at=now, turns=1)
        turn = Turn(
            id="t1", n=1, status=TurnStatus.COMPLETED, text=entry.text, first_seq=1, answer=entry.answer,
            created_at=now, updated_at=now,
        )  # fmt: skip
        root = self.client.document(f"workspaces/{self.store.workspace}/chat_sessions/{session_id}")
        root.set(session.model_dump())
        root.collection("turns").document("t1").set(turn.model_dump())
        return {"kind": "turn", "id": "t1", "session_id": session_id}

    def _work(self, first: NewJob, cause: str) -> None:
        waiting = [(first, cause)]
        for done in range(_JOBS):
            if not waiting:
                return
            job, named = waiting.pop(0)
            outcome = self._attempted(job, derived("job", named, str(done)))
            if outcome is not None:
                waiting += [(one, f"{named}-{done}") for one in _following(outcome)]
        self.failures.append(f"{cause}: more than {_JOBS} jobs follow from it")

    def _attempted(self, job: NewJob, job_id: str) -> Outcome | None:
        failure = ""
        for _ in range(TRIES):
            try:
                return self._run(job, job_id)
            except MemexError as error:
                failure = f"{job.kind}: {error.code}: {error.message}"
        self.failures.append(failure)
        return None

    def _run(self, job: NewJob, job_id: str) -> Outcome:
        agent, now = agents()[job.kind], self.calendar.now()
        stored = MemoryJob(
            id=job_id, kind=agent.id, run_after=now, created_at=now, updated_at=now, input=job.input, batch_id=job_id
        )
        model, embedder = self.roles.model(agent.model_class), self.roles.embedder()
        desk = Desk(self.store, stored, self.calendar.now, Cut(), model, embedder)
        outcome = agent.run(agent.input.model_validate(job.input), desk)
        self._commit(outcome.writes)
        self.counts.update(outcome.counts)
        return outcome

    def _commit(self, writes: Sequence[Write]) -> None:
        if writes:
            self.database.commit(writes, "bench")


def _following(outcome: Outcome) -> Iterator[NewJob]:
    """The batch in the order of the registry, where whoever comes before stands before; then what is followed."""
    for name in agents():
        if name in outcome.batch:
            yield NewJob(name, outcome.batch[name])
    yield from (one for one in outcome.enqueue if one.kind in FOLLOWED)
