"""Puts on the blackboard what might be remembered of a note or a turn: every candidate, the doubtful ones too.

What is wrong with a candidate is said on it, and decided on by the committer alone: so what is refused can be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from shared.brain.agent import BrainAgent, Desk, NewJob, Outcome
from shared.brain.agents.cognitive_extractor import rules
from shared.brain.agents.cognitive_extractor.asking import proposals as proposals_by_model
from shared.brain.agents.cognitive_extractor.checking import checked
from shared.brain.agents.cognitive_extractor.passages import passages
from shared.brain.agents.cognitive_extractor.schema import Input, Output, Proposal
from shared.brain.critics import CRITICS
from shared.brain.sentences import Span, folded
from shared.brain.sources import Reading, read
from shared.brain.statements import candidate_of
from shared.brain.voices import Voices
from shared.contracts.memory import BlackboardItem, Candidate, ItemKind, SourceRef
from shared.contracts.operations import Usage
from shared.ids import derived
from shared.store.blackboard import creating

BATCH = 8
PASSAGES = 8
"""So many passages are a job's; what is longer goes on in another."""
CANDIDATES = 100
"""The most that one commit takes along; another job begins at the first one beyond."""
_ITEMS_OF_A_SOURCE, _RECORDS_OF_A_SOURCE = 1_000, 1_000


@dataclass(frozen=True)
class _Checked:
    """What code has made of a proposal."""

    proposal: Proposal
    candidate: Candidate
    refs: tuple[SourceRef, ...]

    @property
    def key(self) -> tuple[str, str]:
        """The same statement from the same words has the same."""
        return _key(self.candidate, self.refs)


@dataclass(frozen=True)
class _Slice:
    """What this job works on, and where the next one begins."""

    places: Sequence[Span]
    next_offset: int | None


def run(given: Input, desk: Desk) -> Outcome:
    """Raises ModelOutputError, Transient, and as `Model.stream` does."""
    reading = read(desk.store, given.source)
    if reading is None:
        return _outcome(Output(message="It is not there any more."))
    if reading.foreign:
        return _outcome(Output(message=reading.foreign), batch=_changed(desk, given))
    part = _slice(reading, given.offset)
    found, usage = _proposals(reading, part.places, desk)
    voices = Voices(reading.text)
    every = [_Checked(one, *checked(one, reading, voices)) for one in found]
    known = _known(desk, given)
    fresh = [one for one in {one.key: one for one in reversed(every)}.values() if one.key not in known][::-1]
    part = _up_to(part, fresh, given.offset)
    items = [_item(desk, given, n, one) for n, one in enumerate(fresh[:CANDIDATES])]
    output = Output(
        item_ids=tuple(one.id for one in items), known=len(every) - len(fresh), next_offset=part.next_offset
    )
    return Outcome(
        output.model_dump(),
        writes=tuple(creating(item) for item in items),
        enqueue=_next(given, part),
        batch=_batch(output.item_ids, _changed(desk, given)),
        counts={"candidates": len(items)},
        usage=usage,
        model=desk.model.name if desk.model is not None else "rules",
    )


def _slice(reading: Reading, offset: int) -> _Slice:
    found = list(islice(passages(reading.text, offset), PASSAGES + 1))
    kept = found[:PASSAGES]
    if not kept and not offset and reading.title.strip():
        kept = [Span(0, 0)]  # a note of a title alone
    return _Slice(kept, found[PASSAGES].start if len(found) > PASSAGES else None)


def _proposals(reading: Reading, places: Sequence[Span], desk: Desk) -> tuple[list[Proposal], Usage]:
    found, usage = list[Proposal](), Usage()
    if desk.model is None:
        return list(_by_rule(reading, places)), usage
    for start in range(0, len(places), BATCH):
        said, used = proposals_by_model(desk.model, reading, places[start : start + BATCH], desk.cut)
        found, usage = found + said, usage + used
    return found, usage


def _by_rule(reading: Reading, places: Sequence[Span]) -> Sequence[Proposal]:
    """The title is read as a sentence like any other, with the first passage."""
    found = []
    if places and places[0].start == 0 and reading.source.kind == "note":
        found += [
            Proposal(one.candidate, one.quote, Span(0, 0), one.confidence) for one in _ruled(reading.title, reading)
        ]
    for place in places:
        for one in _ruled(place.of(reading.text), reading):
            at = Span(place.start + one.within.start, place.start + one.within.end)
            found.append(Proposal(one.candidate, one.quote, at, one.confidence))
    return found


def _ruled(text: str, reading: Reading) -> Sequence[Proposal]:
    return list(rules.proposals(text, reading.said_at))


def _up_to(part: _Slice, fresh: Sequence[_Checked], offset: int) -> _Slice:
    """The slice up to the first candidate that has no place in the commit."""
    beyond = [one.proposal.within.start for one in fresh[CANDIDATES:] if one.proposal.within.start > offset]
    return replace(part, next_offset=min(beyond)) if beyond else part


def _key(candidate: Candidate, refs: Sequence[SourceRef]) -> tuple[str, str]:
    return folded(candidate.text), folded(refs[0].quote) if refs else ""


def _known(desk: Desk, given: Input) -> set[tuple[str, str]]:
    """What was put on the blackboard from these words before: it was decided on, and is not put there again.

    Unless its record is gone, since the words had been taken out meanwhile.
    """
    kind, key = ItemKind.CANDIDATE_RECORD, given.source.key
    before = [
        one
        for one in desk.store.blackboard.of_source(key, _ITEMS_OF_A_SOURCE, kind)
        if one.source_job_id != desk.job.id
    ]
    kept = {one.id for one in desk.store.records.of_source(key, _RECORDS_OF_A_SOURCE)} if before else set()
    standing = [one for one in before if one.parent_record_id is None or one.parent_record_id in kept]
    read_before = [(candidate_of(one), one.evidence_refs) for one in standing]
    return {_key(candidate, refs) for candidate, refs in read_before if candidate is not None}


def _item(desk: Desk, given: Input, n: int, one: _Checked) -> BlackboardItem:
    return BlackboardItem(
        id=derived("item", desk.job.id, str(n)),
        kind=ItemKind.CANDIDATE_RECORD,
        source_job_id=desk.job.id,
        batch_id=desk.job.id,
        payload=one.candidate.model_dump(),
        confidence=one.proposal.confidence,
        evidence_refs=one.refs,
        source_keys=given.source.keys,
        created_at=desk.now(),
    )


def _changed(desk: Desk, given: Input) -> Mapping[str, Any]:
    """What the committer is to do where something rests on this source already: see whether it still says so."""
    if given.offset or given.source.kind != "note":
        return {}
    known = desk.store.records.of_source(given.source.key, _RECORDS_OF_A_SOURCE)
    return {"reread": given.source.model_dump()} if known else {}


def _batch(item_ids: Sequence[str], changed: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    if not item_ids:
        return {"committer": changed} if changed else {}
    asked = {"item_ids": list(item_ids)}
    return {**dict.fromkeys(CRITICS, asked), "committer": {**asked, **changed}}


def _next(given: Input, part: _Slice) -> tuple[NewJob, ...]:
    if part.next_offset is None:
        return ()
    return (NewJob(AGENT.id, given.model_copy(update={"offset": part.next_offset}).model_dump()),)


def _outcome(output: Output, batch: Mapping[str, Any] | None = None) -> Outcome:
    return Outcome(output.model_dump(), batch=_batch((), batch or {}))


def _idempotency_key(given: Input) -> str:
    source = given.source
    return derived("source", source.kind, source.session_id or "", source.id, given.revision, str(given.offset))


AGENT = BrainAgent(
    id="cognitive_extractor",
    description="Reads notes and what is said in chats, and puts forward what might be remembered.",
    model_class="extraction",
    input=Input,
    output=Output,
    run=run,
    reads=("notes", "turns"),
    writes=("blackboard",),
    idempotency_key=_idempotency_key,
    timeout_ms=90_000,
    batch_size=BATCH,
)
