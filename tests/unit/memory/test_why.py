"""Why something is remembered: the whole trail, oldest first, and no failure where a part of it is gone."""

from __future__ import annotations

from typing import Any

import pytest

from shared.contracts.jobs import MemoryJob
from shared.contracts.memory import BlackboardItem, Candidate, Critique, ItemKind, RecordStatus, RecordType, Verdict
from shared.errors import NotFound
from shared.memory.why import why
from shared.store import paths
from shared.store.blackboard import creating
from shared.store.contradictions import opened, writing
from shared.store.database import Database
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Write, create
from tests.support.memories import SAID, a_record, remember


def an_item(item_id: str, job: str, **fields: Any) -> Write:
    candidate = Candidate(type=RecordType.FACT, subject="me", text="I live in Velm.")
    given = {"kind": ItemKind.CANDIDATE_RECORD, "payload": candidate.model_dump(), "created_at": SAID, **fields}
    return creating(BlackboardItem(id=item_id, source_job_id=job, **given))


def a_critique(item_id: str, about: str, job: str) -> Write:
    said = Critique(about=about, verdict=Verdict.SUPPORTS, reason="It is new.")
    return an_item(item_id, job, kind=ItemKind.CRITIQUE, about=about, payload=said.model_dump())


def a_job(job_id: str, kind: str) -> Write:
    job = MemoryJob(id=job_id, kind=kind, run_after=SAID, created_at=SAID, updated_at=SAID)
    return create(paths.memory_job(job_id), job.model_dump())


def test_the_trail_has_every_item_its_job_and_every_critique(store: WorkspaceStore, database: Database) -> None:
    remember(
        database,
        a_record("old", "I live in Tarn.", status=RecordStatus.SUPERSEDED, superseded_by="r1"),
        a_record("r1", "I live in Velm.", supersedes=("old", "gone"), merged_blackboard_ids=("item-2", "item-gone")),
        a_record("r2", "I live in Oss."),
    )
    database.commit(
        [
            an_item("item-r1", "job-1"),
            an_item("item-2", "job-gone"),
            a_critique("c1", "item-r1", "job-2"),
            a_critique("c2", "item-2", "job-2"),
            a_critique("c3", "another item", "job-2"),
            a_job("job-1", "cognitive_extractor"),
            a_job("job-2", "memory_deduper"),
            writing(opened("r1", "r2", "One home.", SAID)),
        ],
        "test",
    )
    answer = why(store, "r1")
    assert [one.item.id for one in answer.trail] == ["item-r1", "item-2"]
    assert answer.trail[0].job is not None and answer.trail[0].job.kind == "cognitive_extractor"
    assert answer.trail[1].job is None
    said = [(one.item.id, one.job and one.job.kind) for each in answer.trail for one in each.critiques]
    assert said == [("c1", "memory_deduper"), ("c2", "memory_deduper")]
    assert [one.id for one in answer.supersedes] == ["old"] and [one.reason for one in answer.contradictions] == [
        "One home."
    ]
    assert answer.record.sources[0].id == "note-r1"
    before = why(store, "old")
    assert before.superseded_by is not None and before.superseded_by.id == "r1" and before.trail == ()


def test_a_record_that_is_not_there_has_no_reason(store: WorkspaceStore) -> None:
    with pytest.raises(NotFound):
        why(store, "nothing")
