"""Says of each candidate what it ends and what it contradicts. Whoever judges, code checks what can be ended at all:
the same subject, the same property, an overlap in time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shared.brain.agent import BrainAgent, Desk, Outcome
from shared.brain.agents.contradiction_checker.schema import Answer, Judgement
from shared.brain.asking import Question, asked, fenced, prompt_beside
from shared.brain.critics import Candidate, Input, Output, Said, candidates, critique, seq_now
from shared.brain.duplicates import same
from shared.brain.statements import Statement, of_record
from shared.brain.supersession import REASONS, begins, by_rule, objection
from shared.contracts.memory import ItemKind, RecordStatus, Verdict
from shared.contracts.operations import Usage
from shared.llm.port import Model
from shared.store.blackboard import creating
from shared.store.workspace import WorkspaceStore

BATCH = 8
_STATED = 20
"""So many records of a property are looked at, the newest; and so many critiques of a candidate are made at most."""
_SECONDS = 20.0
_NOTHING = "Nothing that is remembered speaks against it."


@dataclass(frozen=True)
class _Pair:
    """A candidate and what might not hold beside it: a record, or an earlier candidate of the batch."""

    candidate: Candidate
    target: str
    known: Statement


def run(given: Input, desk: Desk) -> Outcome:
    """Raises ModelOutputError, Transient, and as `Model.stream` does."""
    seq = seq_now(desk.store)
    every = candidates(desk.store, given.item_ids)
    pairs = [pair for n, one in enumerate(every) for pair in _pairs(desk.store, one, every[:n])]
    usage = Usage()
    if desk.model is not None and pairs:
        said, usage = _by_model(desk.model, desk, pairs)
    else:
        said = [found for pair in pairs if (found := _by_rule(pair)) is not None]
    against = {one.about.id for one in said}
    said += [Said(one.item, Verdict.SUPPORTS, _NOTHING) for one in every if one.item.id not in against]
    writes = tuple(creating(critique(desk, replace(one, judged_seq=seq))) for one in said)
    model = desk.model.name if desk.model is not None and pairs else "rules"
    return Outcome(Output(critiques=len(writes)).model_dump(), writes=writes, usage=usage, model=model)


def _pairs(store: WorkspaceStore, candidate: Candidate, earlier: Sequence[Candidate]) -> list[_Pair]:
    new = candidate.statement
    if not new.subject_key or not new.property_key:
        return []
    records = store.records.stated(new.subject_key, new.property_key, _STATED)
    found = [_Pair(candidate, one.id, of_record(one)) for one in records if one.status is RecordStatus.CURRENT]
    found += [_Pair(candidate, one.item.id, one.statement) for one in earlier]
    return [one for one in found if not objection(new, one.known) and not same(new, one.known)][:_STATED]


def _by_rule(pair: _Pair) -> Said | None:
    verdict = by_rule(pair.candidate.statement, pair.known)
    if verdict is None:
        return None
    kind = ItemKind.NEEDS_EVIDENCE if verdict is Verdict.CONFLICT else ItemKind.CRITIQUE
    return Said(pair.candidate.item, verdict, REASONS[verdict], pair.target, kind=kind)


def _by_model(model: Model, desk: Desk, pairs: Sequence[_Pair]) -> tuple[list[Said], Usage]:
    said, usage = dict[tuple[str, str], Said](), Usage()
    for start in range(0, len(pairs), BATCH):
        some = pairs[start : start + BATCH]
        answer = asked(model, desk.cut, Question(prompt_beside(__file__), _shown(some), Answer, _SECONDS))
        usage += answer.usage
        for judgement in answer.value.judgements:
            if 1 <= judgement.pair <= len(some) and judgement.verdict != "both_hold":
                pair = some[judgement.pair - 1]
                said[pair.candidate.item.id, pair.target] = _followed(pair, judgement)
    return list(said.values()), usage


def _shown(pairs: Sequence[_Pair]) -> str:
    return "\n\n".join(
        f'<pair n="{n}">\n{_statement("known", one.known)}\n{_statement("new", one.candidate.statement)}\n</pair>'
        for n, one in enumerate(pairs, 1)
    )


def _statement(tag: str, one: Statement) -> str:
    return fenced(
        tag,
        one.text,
        about=one.subject_key,
        property=one.property_key,
        said=f"{one.said_at:%Y-%m-%d}",
        since=f"{begins(one):%Y-%m-%d}" if one.valid_from else "unsaid",
    )


def _followed(pair: _Pair, judgement: Judgement) -> Said:
    verdict = Verdict.SUPERSEDE if judgement.verdict == "replaces" else Verdict.CONFLICT
    kind = ItemKind.NEEDS_EVIDENCE if judgement.verdict == "unsure" else ItemKind.CRITIQUE
    reason = judgement.reason or REASONS[verdict]
    return Said(pair.candidate.item, verdict, reason, pair.target, kind=kind)


AGENT = BrainAgent(
    id="contradiction_checker",
    description="Says what a candidate ends or contradicts, or that other evidence must tell.",
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
