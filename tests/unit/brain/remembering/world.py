"""A workspace whose memory works without a queue: each job is run at once, in the order its batch asks for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from shared.brain.agent import BrainAgent, Desk, Outcome
from shared.brain.planting import parents_in
from shared.brain.registry import agents
from shared.contracts.events import Event
from shared.contracts.jobs import MemoryJob
from shared.contracts.memory import (
    BlackboardItem,
    Candidate,
    ItemKind,
    Record,
    RecordStatus,
    RecordType,
    SourceKind,
    SourceRef,
)
from shared.contracts.notes import NoteCreate, NotePatch
from shared.gateway.transport import Cut
from shared.llm.port import Model, Text
from shared.notes.create import create
from shared.notes.patch import patch
from shared.store import paths
from shared.store.blackboard import creating
from shared.store.database import Database
from shared.store.records import RecordsWanted
from shared.store.workspace import WorkspaceStore
from shared.store.writes import put
from tests.support.scripted_model import ScriptedModel
from tests.support.seams import CountingIds, FakeClock

MEMORY = ("cognitive_extractor", "memory_deduper", "contradiction_checker", "evidence_seeker", "committer")
CRITICS = MEMORY[1:4]
_ROUNDS = 12


def says(**fields: Any) -> tuple[Text]:
    """A model's answer."""
    return (Text(json.dumps(fields)),)


def found(quote: str, text: str, **more: Any) -> dict[str, Any]:
    """A statement as an extracting model answers it."""
    fixed = {"passage": 1, "quote": quote, "text": text, "type": "fact", "subject": "me", "property": "is"}
    return fixed | more


@dataclass
class MemoryWorld:
    store: WorkspaceStore
    database: Database
    clock: FakeClock
    models: dict[str, Model] = field(default_factory=dict)
    """By agent; one without works by rule."""
    outcomes: list[tuple[str, Outcome]] = field(default_factory=list)
    between: Callable[[str], None] = lambda _: None
    """Called with each agent before it runs."""
    ids: CountingIds = field(default_factory=lambda: CountingIds("made"))

    def note(self, body: str, title: str = "") -> str:
        """A captured note, read and remembered."""
        note_id = self.write(body, title)
        self.read_note(note_id)
        return note_id

    def write(self, body: str, title: str = "") -> str:
        self.clock.advance(60)
        return create(self.store, NoteCreate(title=title, body=body), clock=self.clock, ids=self.ids, key=None).note.id

    def change(self, note_id: str, **fields: Any) -> None:
        """Change a note, and read it anew."""
        self.clock.advance(60)
        patch(self.store, note_id, NotePatch(**fields), clock=self.clock, by="me")
        self.read_note(note_id)

    def read_note(self, note_id: str) -> None:
        self.run("cognitive_extractor", {"source": {"kind": "note", "id": note_id}})

    def turn(self, text: str, answer: str = "", session: str = "s1", n: int = 1) -> str:
        """A turn of a chat that has ended, read and remembered."""
        self.clock.advance(60)
        turn_id, now = f"{session}-t{n}", self.clock.now()
        head = {"id": session, "created_at": now, "updated_at": now, "turns": n, "title": "Chat"}
        turn = {"id": turn_id, "n": n, "text": text, "first_seq": 1, "answer": answer, "status": "completed"}
        times = {"created_at": now, "updated_at": now}
        self.database.commit(
            [put(paths.session(session), head), put(paths.turn(session, turn_id), turn | times)], "test"
        )
        self.run("cognitive_extractor", {"source": {"kind": "turn", "id": turn_id, "session_id": session}})
        return turn_id

    def forget(self, kind: str, source_id: str) -> None:
        """What is done when a source is gone; a note goes into the trash."""
        if kind == "note" and self.store.notes.find(source_id) is not None:
            self.store.trash.put_in(source_id, "me")
        self.run("committer", {"forget": {"kind": kind, "id": source_id}})

    def run(self, kind: str, given: Mapping[str, Any]) -> Outcome:
        """Run a job and all that it leaves behind, in the order of the queue; agents beyond memory are left out."""
        first: Outcome | None = None
        waiting = [(kind, given, "")]
        for _ in range(_ROUNDS * 10):
            if not waiting:
                break
            name, asked, batch = waiting.pop(0)
            job, outcome = self.work(name, asked, batch)
            first = first or outcome
            waiting = [*self._batch(job, outcome), *waiting]
            waiting += [(one.kind, one.input, "") for one in outcome.enqueue if one.kind in MEMORY]
        assert not waiting and first is not None, f"there is no end to {kind}"
        return first

    def work(self, kind: str, given: Mapping[str, Any], batch_id: str = "") -> tuple[MemoryJob, Outcome]:
        """One job, with what it writes."""
        self.between(kind)
        agent: BrainAgent = agents()[kind]
        now = self.clock.now()
        job = MemoryJob(
            id=self.ids.fresh(), kind=kind, batch_id=batch_id, run_after=now, created_at=now, updated_at=now
        )
        desk = Desk(self.store, job, self.clock.now, Cut(), model=self.models.get(kind))
        outcome = agent.run(agent.input.model_validate(given), desk)
        agent.output.model_validate(outcome.output)
        if outcome.writes:
            self.database.commit(outcome.writes, "test.finish")
        self.outcomes.append((kind, outcome))
        return job, outcome

    @staticmethod
    def _batch(job: MemoryJob, outcome: Outcome) -> list[tuple[str, Mapping[str, Any], str]]:
        """The members of the batch, each behind those it waits for."""
        left, kinds = dict(outcome.batch), frozenset(outcome.batch)
        ordered: list[tuple[str, Mapping[str, Any], str]] = []
        while left:
            done = kinds - left.keys()
            ready = [kind for kind in left if parents_in(agents(), kind, kinds) <= done]
            ordered += [(kind, left.pop(kind), job.id) for kind in ready]
        return ordered

    def script(self, kind: str, *lines: Any) -> ScriptedModel:
        """A model for an agent that answers with these lines."""
        model = ScriptedModel(*lines)
        self.models[kind] = model
        return model

    def candidate(self, text: str, **fields: Any) -> BlackboardItem:
        """A candidate on the blackboard that no extractor has put there."""
        note_id = fields.pop("note_id", None) or self.write(text)
        said_at: datetime = fields.pop("said_at", self.clock.now())
        known = {"type": RecordType.FACT, "subject": "me", "text": text} | fields
        ref = SourceRef(kind=SourceKind.NOTE, id=note_id, start=0, end=len(text), quote=text, said_at=said_at)
        item = BlackboardItem(
            id=self.ids.fresh(),
            kind=ItemKind.CANDIDATE_RECORD,
            source_job_id="test",
            payload=Candidate.model_validate(known).model_dump(),
            evidence_refs=(ref,),
            source_keys=(f"note:{note_id}",),
            created_at=self.clock.now(),
        )
        self.database.commit([creating(item)], "test")
        return item

    def judge(self, *items: BlackboardItem) -> None:
        """Let the critics look at candidates, and no more."""
        for kind in CRITICS:
            self.work(kind, {"item_ids": [one.id for one in items]})

    def commit(self, *items: BlackboardItem) -> Outcome:
        """Let the committer decide, with all that follows."""
        return self.run("committer", {"item_ids": [one.id for one in items]})

    @property
    def records(self) -> list[Record]:
        """All, the oldest first."""
        kept = self.store.records.list(RecordsWanted(200))[0]
        retracted = self.store.records.list(RecordsWanted(200, status=RecordStatus.RETRACTED))[0]
        return sorted((*kept, *retracted), key=lambda one: (one.created_at, one.id))

    @property
    def texts(self) -> set[str]:
        """Of the records that are current."""
        return {one.text for one in self.records if one.status is RecordStatus.CURRENT}

    def record(self, part: str) -> Record:
        """The one record whose text has that part."""
        (one,) = [one for one in self.records if part in one.text]
        return one

    @property
    def items(self) -> list[BlackboardItem]:
        """The candidates, the oldest first."""
        return list(reversed(self.store.blackboard.list(limit=200, kind=ItemKind.CANDIDATE_RECORD)[0]))

    def item(self, part: str) -> BlackboardItem:
        (one,) = [one for one in self.items if part in one.payload["text"]]
        return one

    @property
    def events(self) -> list[Event]:
        return list(self.store.streams.all("brain/committer"))

    def happened(self, kinds: Iterable[str] = ()) -> list[str]:
        return [one.type for one in self.events if not kinds or one.type in kinds]
