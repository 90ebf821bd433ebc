"""Puts the focus into words.

It writes them itself, on the state that it saw last: a shift, or a record that was forgotten, is noticed in the commit.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta, timezone

from shared.brain.agent import BrainAgent, Desk, NewJob, Outcome
from shared.brain.agents.focus_distiller.schema import Answer, Input, Output
from shared.brain.asking import Question, Said, asked, fenced, listed_records, prompt_beside
from shared.brain.lasting import lasting
from shared.contracts.memory import Focus, Record
from shared.contracts.operations import Usage
from shared.llm.port import Model

RECORDS = 30
SUMMARY_CHARACTERS = 1_500
_SENTENCES = 5
_MORNING = time(6)


def run(given: Input, desk: Desk) -> Outcome:
    """Raises ModelOutputError, Transient, and as `Model.stream` does."""
    focus = desk.store.focus.find()
    if focus is None or not focus.title or (given.since and given.since != _since(focus)):
        return Outcome(Output(message="There is no such focus any more.").model_dump())
    records = lasting(desk.store, focus.record_ids)[-RECORDS:]
    if not records:
        return Outcome(Output(title=focus.title, message="Nothing is left that it rests on.").model_dump())
    said = _by_rule(records) if desk.model is None else _by_model(desk.model, desk, focus, records)
    known = [one.id for one in records]
    used = tuple(one for one in known if one in said.value.record_ids) or tuple(known)
    summary = said.value.summary.strip()[:SUMMARY_CHARACTERS]

    def decide(current: Focus | None) -> Focus | None:
        if current is None or _since(current) != _since(focus) or len(lasting(desk.store, used)) < len(used):
            return None
        kept = tuple(dict.fromkeys((*current.record_ids, *used)))
        return current.model_copy(update={"summary": summary, "record_ids": kept, "updated_at": desk.now()})

    written = desk.store.focus.change(decide, point="focus.summary")
    message = "" if written else "It has changed meanwhile: nothing was written."
    return Outcome(
        Output(title=focus.title, summary=summary if written else "", record_ids=used, message=message).model_dump(),
        enqueue=(NewJob("situation_reporter", {}, run_after=_tomorrow(desk.now())),),
        usage=said.usage,
        model=desk.model.name if desk.model is not None else "rules",
    )


def _by_rule(records: Sequence[Record]) -> Said[Answer]:
    """The newest statements as they are."""
    newest = sorted(records, key=lambda one: one.updated_at)[-_SENTENCES:]
    summary = " ".join(one.text for one in newest)
    return Said(Answer(summary=summary, record_ids=tuple(one.id for one in newest)), Usage())


def _by_model(model: Model, desk: Desk, focus: Focus, records: Sequence[Record]) -> Said[Answer]:
    shown = f"{fenced('focus', focus.title)}\n\n{listed_records(records)}"
    return asked(model, desk.cut, Question(prompt_beside(__file__), shown, Answer))


def _since(focus: Focus) -> str:
    return focus.active_since.isoformat() if focus.active_since is not None else ""


def _tomorrow(now: datetime) -> datetime:
    """The next morning: a day on which something moved is told of."""
    return datetime.combine(now.date() + timedelta(days=1), _MORNING, timezone.utc)


AGENT = BrainAgent(
    id="focus_distiller",
    description="Describes what the person is at, with the records that it rests on.",
    model_class="synthesis",
    input=Input,
    output=Output,
    run=run,
    reads=("records", "focus"),
    writes=("focus",),
    depends_on=("focus_shift_judge",),
    idempotency_key=lambda given: f"focus:{given.since}",
    timeout_ms=90_000,
)
