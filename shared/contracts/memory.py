"""Memory: what the agents of the brain put on the blackboard, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from shared.contracts.base import Stored, UtcDatetime

RECORD_TEXT_CHARACTERS = 2_000
SUBJECT_CHARACTERS = 200
QUOTE_CHARACTERS = 600
SOURCES_PER_RECORD = 50
CONFIDENCE = 0.5
"""Unless somebody says otherwise."""


class SourceKind(StrEnum):
    NOTE = "note"
    TURN = "turn"
    DOCUMENT = "document"


class SourceRef(Stored):
    """Where something was said: a place in a note, in a turn of a chat, or in a piece of a document."""

    kind: SourceKind
    id: str
    """Of the note, of the turn, or of the document."""
    session_id: str | None = None
    """Of a turn."""
    start: int = 0
    end: int = 0
    """Characters of the text it was found in, from 0; of a note that is its body."""
    quote: str = ""
    """The words there."""
    said_by: Literal["person", "assistant", "other"] = "person"
    """A note that a person captured, and what they say in a chat, is the person's; the rest never is."""
    said_at: UtcDatetime
    title: str = ""


class RecordType(StrEnum):
    FACT = "fact"
    PREFERENCE = "preference"
    DECISION = "decision"
    PLAN = "plan"
    EVENT = "event"
    RELATION = "relation"
    SKILL = "skill"


class Candidate(Stored):
    """What may become a record: payload of a blackboard item of kind candidate_record."""

    type: RecordType
    subject: str
    """Whom or what it is about, as people say it; "me" is the person whose memex it is."""
    property: str = ""
    """What of the subject it states, in one or a few words, such as employer or birthday."""
    object: str = ""
    """Who or what the property leads to, where that is a person, a place or a thing."""
    text: str
    """The statement, as a sentence that stands alone."""
    valid_from: UtcDatetime | None = None
    valid_to: UtcDatetime | None = None
    """From when to when it holds; None is open."""
    about_person_or_world: bool = True
    durable: bool = True
    """False for what holds for one task or one moment only."""
    instruction: bool = False
    """Whether it tells somebody, or a model, what to do, rather than stating something."""
    problem: str = ""
    """What code found wrong with it, as a sentence for a person: it is refused for this."""


class ItemKind(StrEnum):
    CANDIDATE_RECORD = "candidate_record"
    CLAIM = "claim"
    CRITIQUE = "critique"
    NEEDS_EVIDENCE = "needs_evidence"
    VERIFICATION_RESULT = "verification_result"


class ItemStatus(StrEnum):
    """`pending` until the committer decides; the other four are never left."""

    PENDING = "pending"
    MERGED = "merged"
    COMMITTED = "committed"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"


class Verdict(StrEnum):
    """What a critique, or a piece of evidence, says of an item; the committer knows these and no critic."""

    SUPPORTS = "supports"
    REJECT = "reject"
    MERGE = "merge"
    """`target` states the same already."""
    SUPERSEDE = "supersede"
    """`target` held until this; the code checks that it may be."""
    CONFLICT = "conflict"
    """`target` cannot be true as well, and nobody knows which is."""


class Critique(Stored):
    """Payload of a critique, of a needs_evidence and of a verification_result."""

    about: str
    """The blackboard item."""
    verdict: Verdict
    target: str | None = None
    """A record, or another item of the blackboard."""
    reason: str
    """A sentence for a person."""
    judged_seq: int | None = None
    """The seq of brain/committer when its author looked at the records; None where it did not look at them."""


class BlackboardItem(Stored):
    """workspaces/{workspace}/blackboard/{id}."""

    id: str
    kind: ItemKind
    source_job_id: str
    batch_id: str = ""
    about: str | None = None
    """The item that a critique, a need or a result is about."""
    parent_record_id: str | None = None
    """The record it became, or was merged into."""
    payload: Mapping[str, Any]
    """A Candidate or a Critique."""
    confidence: float = CONFIDENCE
    evidence_refs: tuple[SourceRef, ...] = ()
    source_keys: tuple[str, ...] = ()
    """{kind}:{id} of what it was made from: by these its words go when that is forgotten."""
    status: ItemStatus = ItemStatus.PENDING
    reason: str = ""
    """Why it was decided as it was."""
    created_at: UtcDatetime
    decided_at: UtcDatetime | None = None


class RecordStatus(StrEnum):
    CURRENT = "current"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"


class Record(Stored):
    """workspaces/{workspace}/records/{id}: something that is remembered, and why."""

    id: str
    type: RecordType
    subject: str
    subject_key: str
    """The subject folded: what is the same subject has the same key."""
    property: str = ""
    property_key: str = ""
    object: str = ""
    text: str
    valid_from: UtcDatetime | None = None
    valid_to: UtcDatetime | None = None
    status: RecordStatus = RecordStatus.CURRENT
    confidence: float = CONFIDENCE
    sources: tuple[SourceRef, ...]
    source_blackboard_id: str
    merged_blackboard_ids: tuple[str, ...] = ()
    superseded_by: str | None = None
    supersedes: tuple[str, ...] = ()
    stated_valid_to: UtcDatetime | None = None
    """Its own end, from before a later statement ended it: that holds again when the later one is forgotten."""
    pinned: bool = False
    """Kept first by recall; a person's word."""
    excluded: bool = False
    """Never recalled; a person's word, and it can be taken back."""
    created_at: UtcDatetime
    updated_at: UtcDatetime


class RecordIndex(Stored):
    """Further fields of a record's document, for finding it; read by searches alone."""

    terms: tuple[str, ...] = ()
    frequencies: str = ""
    length: int = 0
    source_keys: tuple[str, ...] = ()
    """{kind}:{id} of each source: what is forgotten with it is found by these."""
    embedding: tuple[float, ...] | None = Field(default=None, exclude=True)


class ContradictionStatus(StrEnum):
    OPEN = "open"
    SETTLED = "settled"


class Contradiction(Stored):
    """workspaces/{workspace}/contradictions/{id}: two records of which one at most is true."""

    id: str
    record_ids: tuple[str, str]
    reason: str
    status: ContradictionStatus = ContradictionStatus.OPEN
    kept: str | None = None
    """The record that a person, or later evidence, chose."""
    created_at: UtcDatetime
    settled_at: UtcDatetime | None = None


class Node(Stored):
    """workspaces/{workspace}/nodes/{id}: a person, place or thing of the records; its id derives from its key."""

    id: str
    key: str
    name: str
    kind: Literal["person", "place", "organisation", "thing", "topic"] = "thing"
    record_ids: tuple[str, ...] = ()
    """The newest that speak of it."""
    size: int = 0
    """How many those are."""
    updated_at: UtcDatetime


class Edge(Stored):
    """workspaces/{workspace}/edges/{id}: what a record says of two nodes."""

    id: str
    source: str
    target: str
    label: str
    record_id: str
    updated_at: UtcDatetime


class Focus(Stored):
    """workspaces/{workspace}/focus/current: what the person is at just now."""

    title: str = ""
    summary: str = ""
    record_ids: tuple[str, ...] = ()
    active_since: UtcDatetime | None = None
    read_to: UtcDatetime | None = None
    """Records up to here were looked at."""
    updated_at: UtcDatetime


class Identity(Stored):
    """workspaces/{workspace}/identity/current: who the person is, each sentence with the records it rests on."""

    class Statement(Stored):
        text: str
        record_ids: tuple[str, ...]

    statements: tuple[Statement, ...] = ()
    read_to: UtcDatetime | None = None
    updated_at: UtcDatetime


class Topic(Stored):
    """workspaces/{workspace}/topics/{id}."""

    id: str
    name: str
    summary: str = ""
    record_ids: tuple[str, ...] = ()
    updated_at: UtcDatetime


class TreeSummary(Stored):
    """workspaces/{workspace}/documents/{document}/summaries/{level}-{n}: of pieces, or of summaries one level below."""

    document_id: str
    level: int
    n: int
    text: str
    covers: tuple[int, int]
    """The first and the last piece below it."""
    created_at: UtcDatetime
