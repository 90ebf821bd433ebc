"""Says of each candidate whether it is remembered already: of records, and of what comes before it in its batch.

What is the same beyond doubt is found by rule; a model is asked about the rest that has anything near it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from shared.brain.agent import BrainAgent, Desk, Outcome
from shared.brain.agents.memory_deduper.schema import Answer, Judgement
from shared.brain.asking import Question, asked, listed, prompt_beside
from shared.brain.critics import Candidate, Input, Output, Said, candidates, critique, seq_now
from shared.brain.duplicates import common, differs, repeats, same
from shared.brain.neighbours import neighbours, vectors
from shared.brain.statements import Statement, of_record
from shared.contracts.memory import Record, RecordStatus, Verdict
from shared.contracts.operations import Usage
from shared.llm.port import Model
from shared.store.blackboard import creating

BATCH = 8
_NEAR = 6
"""So many known statements are shown with a candidate, those nearest to it."""
_SECONDS = 20.0
_NEW = "Nothing like it is remembered."


@dataclass(frozen=True)
class _Known:
    """A record, or an earlier candidate of the batch, as candidates are compared with it."""

    id: str
    statement: Statement


@dataclass(frozen=True)
class _Case:
    """A candidate with what is near it, the nearest first."""

    candidate: Candidate
    near: tuple[_Known, ...]


def run(given: Input, desk: Desk) -> Outcome:
    """Raises ModelOutputError, Transient, and as `Model.stream` does."""
    seq = seq_now(desk.store)
    every = candidates(desk.store, given.item_ids)
    said: dict[str, Said] = {}
    cases: list[_Case] = []
    found = vectors(desk.embedder, [one.statement.text for one in every], desk.cut)
    for n, candidate in enumerate(every):
        records = neighbours(desk.store, candidate.statement, found[n] if found else None)
        earlier = [_Known(one.item.id, one.statement) for one in every[:n]]
        said[candidate.item.id] = _by_rule(candidate, records, earlier)
        if said[candidate.item.id].verdict is Verdict.SUPPORTS:
            cases.append(_case(candidate, records, earlier))
    usage = Usage()
    if desk.model is not None and cases:
        judged, usage = _by_model(desk.model, desk, cases)
        said |= judged
    writes = tuple(creating(critique(desk, replace(one, judged_seq=seq))) for one in said.values())
    model = desk.model.name if desk.model is not None and cases else "rules"
    return Outcome(Output(critiques=len(writes)).model_dump(), writes=writes, usage=usage, model=model)


def _by_rule(candidate: Candidate, records: Sequence[Record], earlier: Sequence[_Known]) -> Said:
    for record in records:
        if repeats(candidate.item, record):
            return Said(candidate.item, Verdict.MERGE, "The same words of the same source are remembered.", record.id)
        if _counts(record, candidate.statement) and same(candidate.statement, of_record(record)):
            return Said(candidate.item, Verdict.MERGE, "It is remembered already.", record.id)
    for known in earlier:
        if same(candidate.statement, known.statement):
            return Said(candidate.item, Verdict.MERGE, "It was said just before.", known.id)
    return Said(candidate.item, Verdict.SUPPORTS, _NEW)


def _counts(record: Record, statement: Statement) -> bool:
    """What a person took back is not remembered anew, unless it is said anew later."""
    return record.status is not RecordStatus.RETRACTED or statement.said_at <= record.updated_at


def _case(candidate: Candidate, records: Sequence[Record], earlier: Sequence[_Known]) -> _Case:
    """What a model could find to be the same; nothing where code would not follow it."""
    known = [_Known(one.id, of_record(one)) for one in records if one.status is RecordStatus.CURRENT]
    open_ones = [one for one in (*known, *earlier) if not differs(candidate.statement, one.statement)]
    near = sorted(open_ones, key=lambda one: common(candidate.statement, one.statement), reverse=True)[:_NEAR]
    return _Case(candidate, tuple(near))


def _by_model(model: Model, desk: Desk, cases: Sequence[_Case]) -> tuple[dict[str, Said], Usage]:
    said, usage = dict[str, Said](), Usage()
    for start in range(0, len(cases), BATCH):
        some = cases[start : start + BATCH]
        names = _names(some)
        answer = asked(model, desk.cut, Question(prompt_beside(__file__), _shown(some, names), Answer, _SECONDS))
        usage += answer.usage
        for judgement in answer.value.judgements:
            if 1 <= judgement.candidate <= len(some):
                case = some[judgement.candidate - 1]
                said[case.candidate.item.id] = _followed(case, judgement, names)
    return said, usage


def _names(cases: Sequence[_Case]) -> Mapping[str, str]:
    """Short names of what is known, by id: a model spells those better, and can name nothing else."""
    ids = dict.fromkeys(known.id for case in cases for known in case.near)
    return {one: f"k{n}" for n, one in enumerate(ids, 1)}


def _shown(cases: Sequence[_Case], names: Mapping[str, str]) -> str:
    known = {one.id: one for case in cases for one in case.near}
    rows = [
        (
            {
                "n": n,
                "about": case.candidate.statement.subject_key,
                "near": " ".join(names[one.id] for one in case.near),
            },
            case.candidate.statement.text,
        )
        for n, case in enumerate(cases, 1)
    ]
    parts = (
        [listed("known", [({"name": names[one.id]}, one.statement.text) for one in known.values()])] if known else []
    )
    return "\n\n".join((*parts, listed("candidate", rows)))


def _followed(case: _Case, judgement: Judgement, names: Mapping[str, str]) -> Said:
    """The model's word, as far as code can follow it."""
    item = case.candidate.item
    if judgement.verdict == "worthless":
        return Said(item, Verdict.REJECT, judgement.reason or "It is not worth remembering.")
    target = next((one for one in case.near if names[one.id] == judgement.known), None)
    if judgement.verdict == "same" and target is not None:
        return Said(item, Verdict.MERGE, judgement.reason or "It is remembered already.", target.id)
    return Said(item, Verdict.SUPPORTS, judgement.reason or _NEW)


AGENT = BrainAgent(
    id="memory_deduper",
    description="Says of each candidate whether it is remembered already, or not worth it.",
    model_class="judge",
    input=Input,
    output=Output,
    run=run,
    reads=("blackboard", "records"),
    writes=("blackboard",),
    depends_on=("cognitive_extractor",),
    timeout_ms=180_000,
    batch_size=BATCH,
)
