"""What critics have in common: the candidates they look at, and how they say what they think of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shared.brain.agent import Desk
from shared.brain.statements import Statement, candidate_of, of_item
from shared.contracts.base import Model
from shared.contracts.memory import (
    CONFIDENCE,
    BlackboardItem,
    Critique,
    ItemKind,
    ItemStatus,
    SourceRef,
    Verdict,
)
from shared.errors import NotFound
from shared.ids import derived
from shared.memory.indexing import source_keys
from shared.store import paths
from shared.store.workspace import WorkspaceStore

COMMITTED = paths.brain_agent("committer")
"""The stream that every change of a record is committed on."""
CRITICS = ("memory_deduper", "contradiction_checker", "evidence_seeker")
"""The agents that judge a batch of candidates before it is decided on."""
_REASON_CHARACTERS = 400


class Input(Model):
    """The candidates of a batch, in the order in which they were said."""

    item_ids: tuple[str, ...]


class Output(Model):
    critiques: int = 0


@dataclass(frozen=True)
class Candidate:
    """A candidate that is to be decided on, and what it states."""

    item: BlackboardItem
    statement: Statement


def candidates(store: WorkspaceStore, item_ids: Sequence[str]) -> list[Candidate]:
    """Those of the items that are candidates and still pending, in the order asked."""
    found = store.blackboard.several(item_ids)
    items = [found[one] for one in dict.fromkeys(item_ids) if one in found]
    return [
        Candidate(item, of_item(item))
        for item in items
        if item.kind is ItemKind.CANDIDATE_RECORD and item.status is ItemStatus.PENDING and candidate_of(item)
    ]


def seq_now(store: WorkspaceStore) -> int:
    """How far the committer's stream has come: to be read before the records are."""
    try:
        return store.streams.head(COMMITTED)[0]
    except NotFound:
        return 0  # nothing was committed yet


@dataclass(frozen=True)
class Said:
    """One critique to be: of an item, perhaps over against a record or another item."""

    about: BlackboardItem
    verdict: Verdict
    reason: str
    target: str | None = None
    judged_seq: int | None = None
    kind: ItemKind = ItemKind.CRITIQUE
    evidence: tuple[SourceRef, ...] = ()
    confidence: float = CONFIDENCE


def critique(desk: Desk, said: Said) -> BlackboardItem:
    """The item of the blackboard; its id derives from the job and what it is about."""
    payload = Critique(
        about=said.about.id,
        verdict=said.verdict,
        target=said.target,
        reason=" ".join(said.reason.split())[:_REASON_CHARACTERS],
        judged_seq=said.judged_seq,
    )
    return BlackboardItem(
        id=derived("item", desk.job.id, said.about.id, said.kind.value, said.target or ""),
        kind=said.kind,
        source_job_id=desk.job.id,
        batch_id=desk.job.batch_id or desk.job.id,
        about=said.about.id,
        payload=payload.model_dump(),
        confidence=said.confidence,
        evidence_refs=said.evidence,
        source_keys=tuple(dict.fromkeys((*said.about.source_keys, *source_keys(said.evidence)))),
        created_at=desk.now(),
    )
