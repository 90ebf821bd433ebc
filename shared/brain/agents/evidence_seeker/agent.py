"""Where a critic asks for evidence, looks for it, and says what it found: by rule it decides only where passages name
the one value and none the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.brain.agent import BrainAgent, Desk, Outcome
from shared.brain.agents.evidence_seeker.looking import passages
from shared.brain.agents.evidence_seeker.schema import Answer
from shared.brain.asking import Question, asked, fenced, listed, prompt_beside
from shared.brain.critics import Candidate, Input, Output, Said, candidates, critique
from shared.brain.statements import Statement, content, of_item, of_record
from shared.contracts.memory import BlackboardItem, Critique, ItemKind, ItemStatus, SourceRef, Verdict
from shared.contracts.operations import Usage
from shared.llm.port import Model
from shared.memory.keys import ME
from shared.store.blackboard import creating
from shared.store.workspace import WorkspaceStore

_NEEDS = 12
"""So many questions are looked into; what is beyond stays a contradiction for the person."""
_SAID = 400
_SECONDS = 15.0
_NOTHING = "Notes and documents tell nothing of it."
_VERDICTS = {"new": Verdict.SUPERSEDE, "known": Verdict.REJECT, "neither": Verdict.CONFLICT}


@dataclass(frozen=True)
class _Need:
    """A candidate and what it contradicts, as a critic saw it."""

    candidate: Candidate
    critique: Critique
    known: Statement
    known_sources: tuple[SourceRef, ...]


@dataclass(frozen=True)
class _Finding:
    verdict: Verdict
    reason: str
    evidence: tuple[SourceRef, ...] = ()
    usage: Usage = Usage()


def run(given: Input, desk: Desk) -> Outcome:
    """Raises ModelOutputError, Transient, and as `Model.stream` does."""
    writes, usage, asked_model = [], Usage(), False
    for need in _needs(desk.store, given.item_ids):
        own = {one.id for one in (*need.candidate.item.evidence_refs, *need.known_sources)}
        found = passages(desk.store, desk.embedder, need.candidate.statement, need.known, own, desk.now())
        if desk.model is not None and found:
            finding, asked_model = _by_model(desk.model, desk, need, found), True
        else:
            finding = _by_rule(need, found)
        usage += finding.usage
        writes.append(creating(critique(desk, _said(need, finding))))
    model = desk.model.name if desk.model is not None and asked_model else "rules"
    return Outcome(Output(critiques=len(writes)).model_dump(), writes=tuple(writes), usage=usage, model=model)


def _needs(store: WorkspaceStore, item_ids: Sequence[str]) -> list[_Need]:
    every = {one.item.id: one for one in candidates(store, item_ids)}
    said = [one for one in store.blackboard.about(list(every), _SAID) if _open(one) and one.about in every]
    asked_for = list({(one.about, one.payload.get("target")): _asked(every, one) for one in said}.values())
    targets = [one.target for _, one in asked_for if one.target is not None]
    records, items = store.records.several(targets), store.blackboard.several(targets)
    found = []
    for candidate, need in asked_for[:_NEEDS]:
        if need.target in records:
            record = records[need.target]
            found.append(_Need(candidate, need, of_record(record), record.sources))
        elif need.target in items:
            item = items[need.target]
            found.append(_Need(candidate, need, of_item(item), item.evidence_refs))
    return found


def _open(item: BlackboardItem) -> bool:
    return item.kind is ItemKind.NEEDS_EVIDENCE and item.status is ItemStatus.PENDING


def _asked(every: Mapping[str, Candidate], item: BlackboardItem) -> tuple[Candidate, Critique]:
    return every[item.about or ""], Critique.model_validate(item.payload)


def _by_rule(need: _Need, found: Sequence[SourceRef]) -> _Finding:
    new = [one for one in found if _speaks_for(one, need.candidate.statement)]
    known = [one for one in found if _speaks_for(one, need.known)]
    if bool(new) == bool(known):
        return _Finding(Verdict.CONFLICT, f"{need.critique.reason} {_NOTHING}", (*new, *known))
    if new:
        return _Finding(Verdict.SUPERSEDE, f"{_named(new)} says so as well.", tuple(new))
    return _Finding(Verdict.CONFLICT, f"{need.critique.reason} {_named(known)} speaks for the other.", tuple(known))


def _speaks_for(ref: SourceRef, statement: Statement) -> bool:
    """Whether the passage names the subject and the value."""
    said = content(ref.quote)
    subject = frozenset() if statement.subject_key == ME else content(statement.subject_key)
    value = content(statement.object_key)
    return bool(value) and value <= said and subject <= said


def _named(found: Sequence[SourceRef]) -> str:
    return f"“{found[0].title or found[0].id}”"


def _by_model(model: Model, desk: Desk, need: _Need, found: Sequence[SourceRef]) -> _Finding:
    rows = [({"n": n, "date": f"{one.said_at:%Y-%m-%d}"}, one.quote) for n, one in enumerate(found, 1)]
    shown = "\n\n".join(
        (fenced("known", need.known.text), fenced("new", need.candidate.statement.text), listed("passage", rows))
    )
    said = asked(model, desk.cut, Question(prompt_beside(__file__), shown, Answer, _SECONDS))
    named = tuple(found[n - 1] for n in said.value.passages if 1 <= n <= len(found))
    verdict = _VERDICTS[said.value.verdict] if named else Verdict.CONFLICT
    return _Finding(verdict, said.value.reason or _NOTHING, named, said.usage)


def _said(need: _Need, finding: _Finding) -> Said:
    return Said(
        about=need.candidate.item,
        verdict=finding.verdict,
        reason=finding.reason,
        target=need.critique.target,
        kind=ItemKind.VERIFICATION_RESULT,
        evidence=finding.evidence,
    )


AGENT = BrainAgent(
    id="evidence_seeker",
    description="Looks into notes and documents where two statements contradict each other.",
    model_class="judge",
    input=Input,
    output=Output,
    run=run,
    reads=("blackboard", "records", "notes", "documents"),
    writes=("blackboard",),
    depends_on=("contradiction_checker",),
    timeout_ms=200_000,
)
