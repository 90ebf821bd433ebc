"""A brain as the API would show it, for tests that need no agent to have worked."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from shared.contracts import brain_api
from shared.contracts.jobs import JobStatus, MemoryJob
from shared.contracts.memory import (
    BlackboardItem,
    Contradiction,
    Edge,
    Focus,
    Identity,
    ItemKind,
    ItemStatus,
    Node,
    Record,
    RecordStatus,
    RecordType,
    SourceKind,
    SourceRef,
    Topic,
)
from shared.contracts.operations import Failure

AT = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)
LATER = AT + timedelta(seconds=4)
REASON = "It holds for one task only, and is not about you or your world."


def source(quote: str, kind: SourceKind = SourceKind.NOTE, **given: Any) -> SourceRef:
    made: dict[str, Any] = {"kind": kind, "id": "n1", "quote": quote, "said_at": AT, "title": "Talk with Anna"}
    return SourceRef(**made | given)


def record(record_id: str, text: str, **given: Any) -> Record:
    made: dict[str, Any] = {
        "id": record_id,
        "type": RecordType.FACT,
        "subject": "Anna",
        "subject_key": "anna",
        "text": text,
        "confidence": 0.8,
        "sources": (source(text),),
        "source_blackboard_id": f"item-{record_id}",
        "created_at": AT,
        "updated_at": AT,
    }
    return Record(**made | given)


RECORDS = {
    one.id: one
    for one in (
        record("works", "Anna works at the university.", valid_from="2026-03-01T00:00:00Z", property="employer"),
        record("other", "Anna works at the city library.", property="employer"),
        record(
            "train",
            "I prefer the early train to Basel.",
            type=RecordType.PREFERENCE,
            subject="me",
            sources=(
                source("I prefer the early train to Basel", SourceKind.TURN, session_id="s1", title="Travel"),
                source("the early train, as always"),
            ),
        ),
        record(
            "lived",
            "Anna lived in Bern.",
            status=RecordStatus.SUPERSEDED,
            superseded_by="works",
            valid_from="2020-01-01T00:00:00Z",
            valid_to="2026-02-01T00:00:00Z",
        ),
    )
}


def job(job_id: str, kind: str, status: JobStatus, **given: Any) -> MemoryJob:
    made: dict[str, Any] = {"id": job_id, "kind": kind, "status": status, "run_after": AT, "created_at": AT}
    made |= {"updated_at": LATER, "model": "rules", "input": {"item_ids": ["item-works"]}}
    ended = {"locked_at": AT, "finished_at": LATER} if status.terminal else {}
    return MemoryJob(**made | ended | given)


JOBS = {
    one.id: one
    for one in (
        job("j1", "cognitive_extractor", JobStatus.RUNNING, locked_at=AT),
        job("j2", "memory_deduper", JobStatus.PENDING, waiting_on=1, parent_job_id="j1"),
        job(
            "j3",
            "contradiction_checker",
            JobStatus.FAILED,
            attempts=3,
            error=Failure(code="transient", message="The model did not answer in 60 seconds."),
        ),
        job("j4", "committer", JobStatus.DONE, output={"committed": ["works"]}),
        job("j5", "graph_extractor", JobStatus.CANCELLED),
    )
}


def agent(agent_id: str, after: Iterable[str] = (), **given: Any) -> brain_api.AgentStatus:
    made: dict[str, Any] = {"id": agent_id, "depends_on": tuple(after), "model": "rules", "model_class": "judge"}
    made |= {"last_run_at": AT, "success_rate": 0.98, "done": 41, "reads": ("records",)}
    made["description"] = "Looks at what was put forward, and says what it thinks of it."
    return brain_api.AgentStatus(**made | given)


AGENTS = (
    agent(
        "cognitive_extractor",
        model_class="extraction",
        reads=("notes", "turns"),
        writes=("blackboard",),
        running=1,
        description="Reads what was captured and said, and puts forward what may be worth remembering.",
    ),
    agent(
        "memory_deduper", ("cognitive_extractor",), reads=("blackboard", "records"), writes=("blackboard",), pending=1
    ),
    agent(
        "contradiction_checker",
        ("cognitive_extractor",),
        reads=("blackboard", "records"),
        writes=("blackboard", "contradictions"),
        success_rate=0.4,
        failed=1,
    ),
    agent(
        "evidence_seeker",
        ("contradiction_checker",),
        reads=("blackboard", "notes", "documents"),
        writes=("blackboard",),
        last_run_at=None,
        success_rate=None,
        model="",
    ),
    agent(
        "committer",
        ("memory_deduper", "contradiction_checker", "evidence_seeker"),
        model_class="none",
        reads=("blackboard",),
        writes=("records", "terms", "embeddings"),
        emits=("memory_stored", "memory_rejected"),
        refusal_rate=0.41,
    ),
    agent("graph_extractor", ("committer",), model_class="extraction", writes=("nodes", "edges")),
    agent("focus_shift_judge", ("committer",), writes=("focus",), emits=("focus_shifted",), model="gemini-3-flash"),
    agent(
        "focus_distiller",
        ("focus_shift_judge",),
        model_class="synthesis",
        reads=("records", "focus"),
        writes=("focus",),
    ),
    agent("identity_distiller", ("committer",), model_class="synthesis", writes=("identity",)),
    agent("relevance_judge"),
    agent("source_chunker", model_class="none", reads=("documents",), writes=("chunks",)),
    agent("tree_summarizer", ("source_chunker",), model_class="synthesis", reads=("chunks",), writes=("summaries",)),
    agent(
        "topic_curator", ("graph_extractor",), model_class="synthesis", reads=("records", "nodes"), writes=("topics",)
    ),
    agent("situation_reporter", model_class="synthesis", reads=("focus", "contradictions", "tasks"), writes=("notes",)),
)


def item(item_id: str, payload: dict[str, Any], **given: Any) -> BlackboardItem:
    made: dict[str, Any] = {"id": item_id, "kind": ItemKind.CANDIDATE_RECORD, "source_job_id": "j1", "payload": payload}
    return BlackboardItem(**made | {"created_at": AT, "decided_at": LATER} | given)


def why(record_id: str) -> brain_api.WhyAnswer:
    one = RECORDS[record_id]
    about = {"about": one.source_blackboard_id}
    critiques = (
        item("c1", about | {"verdict": "supports", "reason": "Nothing like it is known."}, kind=ItemKind.CRITIQUE),
        item(
            "c2",
            about | {"verdict": "conflict", "reason": "Another record names another employer.", "target": "other"},
            kind=ItemKind.CRITIQUE,
        ),
    )
    checkers = (JOBS["j4"].model_copy(update={"kind": "memory_deduper"}), JOBS["j3"])
    stored = item(
        one.source_blackboard_id,
        {"type": one.type, "text": one.text, "subject": one.subject},
        status=ItemStatus.COMMITTED,
        reason="Both are kept, and you may say which is true.",
        evidence_refs=one.sources,
    )
    return brain_api.WhyAnswer(
        record=one,
        trail=(
            brain_api.TrailItem(
                item=stored,
                job=JOBS["j4"].model_copy(update={"kind": "cognitive_extractor"}),
                critiques=tuple(
                    brain_api.TrailCritique(item=c, job=j) for c, j in zip(critiques, checkers, strict=True)
                ),
            ),
        ),
        supersedes=(RECORDS["lived"],) if record_id == "works" else (),
        contradictions=(CONTRADICTION,) if record_id in CONTRADICTION.record_ids else (),
    )


CONTRADICTION = Contradiction(
    id="x1", record_ids=("works", "other"), reason="Nobody has two employers at once.", created_at=AT
)
NODES = (
    Node(id="me", key="me", name="me", kind="person", updated_at=AT),
    Node(id="anna", key="anna", name="Anna", kind="person", updated_at=AT),
    Node(id="ben", key="ben", name="Ben", kind="person", updated_at=AT),
    Node(id="uni", key="university", name="University of Basel", kind="organisation", updated_at=AT),
    Node(id="basel", key="basel", name="Basel", kind="place", updated_at=AT),
    Node(id="loaf", key="loaf", name="The base loaf", kind="thing", updated_at=AT),
    Node(id="far", key="far", name="Reykjavík", kind="place", updated_at=AT),
)
EDGES = tuple(
    Edge(id=f"e{n}", source=a, target=b, label=label, record_id="works", updated_at=AT)
    for n, (a, label, b) in enumerate(
        (
            ("me", "is a friend of", "anna"),
            ("me", "takes the train to", "basel"),
            ("ben", "is the brother of", "me"),
            ("anna", "works at", "uni"),
            ("uni", "is in", "basel"),
            ("ben", "bakes", "loaf"),
        )
    )
)
FOCUS = brain_api.FocusAnswer(
    focus=Focus(
        title="The move to Basel",
        summary="Looking for a flat near the university, and getting to know the trains.",
        record_ids=("works", "train"),
        active_since=AT,
        updated_at=AT,
    ),
    identity=Identity(
        statements=(Identity.Statement(text="Takes early trains.", record_ids=("train",)),), updated_at=AT
    ),
    topics=(Topic(id="t", name="Anna", summary="Her work.", record_ids=("works", "other"), updated_at=AT),),
)
REFUSED = item(
    "r1",
    {"type": "preference", "text": "I want answers in three sentences.", "subject": "me"},
    status=ItemStatus.REJECTED,
    reason=REASON,
    evidence_refs=(source("answer in three sentences this time"),),
)
