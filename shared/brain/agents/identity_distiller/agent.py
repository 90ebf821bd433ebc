"""Puts into words who the person is. It writes them itself, on the state that it saw last, as the focus is written."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from shared.brain.agent import BrainAgent, Desk, NewJob, Outcome
from shared.brain.agents.identity_distiller.schema import Answer, Input, Output, Sentence
from shared.brain.asking import Question, Said, asked, listed_records, prompt_beside
from shared.brain.lasting import lasting
from shared.contracts.memory import Identity, Record, RecordType
from shared.contracts.operations import Usage
from shared.llm.port import Model
from shared.memory.keys import ME
from shared.store.record_search import CURRENT

RECORDS = 80
STATEMENTS = 20
_TEXT = 400
_TELLING = frozenset(
    {RecordType.FACT, RecordType.PREFERENCE, RecordType.SKILL, RecordType.RELATION, RecordType.DECISION}
)
_AGAIN_AFTER = timedelta(minutes=10)


def run(_given: Input, desk: Desk) -> Outcome:
    """Raises ModelOutputError, Transient, and as `Model.stream` does."""
    records = [one for one in desk.store.record_search.about(ME, CURRENT, RECORDS) if one.type in _TELLING]
    said = _by_rule(records) if desk.model is None or not records else _by_model(desk.model, desk, records)
    model = desk.model.name if desk.model is not None and records else "rules"
    read_to = max((one.updated_at for one in records), default=None)
    known = {one.id for one in records}
    rested = [one for one in map(_statement, said.value.statements) if one.text and set(one.record_ids) <= known]

    def decide(current: Identity | None) -> Identity | None:
        cited = list(dict.fromkeys(record_id for one in rested for record_id in one.record_ids))
        there = {one.id for one in lasting(desk.store, cited)}
        kept = tuple(one for one in rested if one.record_ids and set(one.record_ids) <= there)[:STATEMENTS]
        if current is None and not kept:
            return None
        return Identity(statements=kept, read_to=read_to, updated_at=desk.now())

    desk.store.identity.change(decide, point="identity.statements")
    return Outcome(
        Output(statements=len(rested), records=len(records)).model_dump(),
        enqueue=_again(desk, records),
        usage=said.usage,
        model=model,
    )


def _again(desk: Desk, read: Sequence[Record]) -> tuple[NewJob, ...]:
    """What came while this was written has its turn too: the job for it was taken to be this one."""
    newest = desk.store.record_search.about(ME, CURRENT, 1)
    if not newest or (read and newest[0].updated_at <= max(one.updated_at for one in read)):
        return ()
    if newest[0].type not in _TELLING:
        return ()
    after = newest[0].updated_at.isoformat()
    return (NewJob("identity_distiller", {"after": after}, run_after=desk.now() + _AGAIN_AFTER),)


def _by_rule(records: Sequence[Record]) -> Said[Answer]:
    """The newest statement of each property, and those without one as they are."""
    kept: dict[str, Record] = {}
    for one in records:
        kept.setdefault(f"{one.type}:{one.property_key}:{one.object}" if one.property_key else one.id, one)
    sentences = tuple(Sentence(text=one.text, record_ids=(one.id,)) for one in kept.values())
    return Said(Answer(statements=sentences), Usage())


def _by_model(model: Model, desk: Desk, records: Sequence[Record]) -> Said[Answer]:
    return asked(model, desk.cut, Question(prompt_beside(__file__), listed_records(records), Answer))


def _statement(one: Sentence) -> Identity.Statement:
    return Identity.Statement(text=" ".join(one.text.split())[:_TEXT], record_ids=tuple(dict.fromkeys(one.record_ids)))


AGENT = BrainAgent(
    id="identity_distiller",
    description="Describes who the person is, each sentence with the records that it rests on.",
    model_class="synthesis",
    input=Input,
    output=Output,
    run=run,
    reads=("records", "identity"),
    writes=("identity",),
    depends_on=("committer",),
    idempotency_key=lambda given: f"identity:{given.after}",
    timeout_ms=90_000,
)
