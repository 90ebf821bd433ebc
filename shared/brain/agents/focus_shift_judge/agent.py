"""Judges whether what the person is at has shifted; a shift is one commit with its event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from shared.brain.agent import BrainAgent, Desk, NewJob, Outcome
from shared.brain.agents.focus_shift_judge.schema import Answer, Input, Output
from shared.brain.asking import Question, Said, asked, fenced, listed_records, prompt_beside
from shared.contracts.events import EventType
from shared.contracts.memory import Focus, Record, RecordType
from shared.contracts.operations import Usage
from shared.llm.port import Model
from shared.memory.keys import ME, key_of
from shared.store.record_search import CURRENT
from shared.store.streams import EventDraft

RECORDS = 40
LATELY = timedelta(days=14)
LEAST = 3
"""So many records about one thing are a focus; a model may say so of two."""
_LEAST_OF_MODEL = 2
_TITLE = 80
_AT_HAND = frozenset({RecordType.PLAN, RecordType.DECISION, RecordType.EVENT})


def run(_given: Input, desk: Desk) -> Outcome:
    """Raises ModelOutputError, Transient, and as `Model.stream` does."""
    focus, written_at = desk.store.focus.look()
    recent = _recent(desk)
    read_to = focus.read_to if focus is not None else None
    new = [one for one in recent if read_to is None or one.updated_at > read_to]
    held = focus if focus is not None and focus.title else None
    if not new:
        return Outcome(Output(shifted=False, looked_at=0, title=held.title if held else "").model_dump())
    said = by_rule(held, recent) if desk.model is None else _by_model(desk.model, desk, held, recent)
    answer, model = said.value, desk.model.name if desk.model is not None else "rules"
    known = {one.id for one in recent}
    record_ids = tuple(dict.fromkeys(one for one in answer.record_ids if one in known))
    title = " ".join(answer.title.split())[:_TITLE]
    shifted = answer.shifted and len(record_ids) >= _LEAST_OF_MODEL and bool(title) and not _same(held, title)
    moved = _moved(focus, shifted, title, record_ids, new, desk.now())
    output = Output(shifted=shifted, looked_at=len(new), title=moved.title, record_ids=record_ids)
    return Outcome(
        output.model_dump(),
        writes=(desk.store.focus.moving(moved, written_at),),
        events=(_event(moved),) if shifted else (),
        enqueue=(_to_describe(moved, desk.now()),) if moved.title else (),
        usage=said.usage,
        model=model,
    )


def by_rule(focus: Focus | None, recent: Sequence[Record]) -> Said[Answer]:
    """What most of the records are about, where that is more than are about the focus; a plan counts twice."""
    about: dict[str, list[Record]] = {}
    names: dict[str, str] = {}
    weights: Counter[str] = Counter()
    for record in recent:
        for name in {key_of(record.subject): record.subject, key_of(record.object): record.object}.items():
            if name[0] and name[0] != ME:
                about.setdefault(name[0], []).append(record)
                names.setdefault(*name)
                weights[name[0]] += 2 if record.type in _AT_HAND else 1
    held = key_of(focus.title) if focus is not None else ""
    best = max(about, key=lambda key: (weights[key], key), default="")
    enough = bool(best) and len(about[best]) >= LEAST
    if enough and best != held and weights[best] > weights[held]:
        shift = Answer(shifted=True, title=names[best], record_ids=tuple(one.id for one in about[best]))
        return Said(shift, Usage())
    return Said(Answer(shifted=False, record_ids=tuple(one.id for one in about.get(held, ()))), Usage())


def _recent(desk: Desk) -> list[Record]:
    since = desk.now() - LATELY
    return [one for one in desk.store.record_search.newest(CURRENT, RECORDS) if one.updated_at >= since]


def _by_model(model: Model, desk: Desk, focus: Focus | None, recent: Sequence[Record]) -> Said[Answer]:
    now = fenced("focus", f"{focus.title}\n{focus.summary}") if focus is not None else "There is no focus yet."
    return asked(model, desk.cut, Question(prompt_beside(__file__), f"{now}\n\n{listed_records(recent)}", Answer))


def _same(focus: Focus | None, title: str) -> bool:
    return focus is not None and key_of(focus.title) == key_of(title)


def _moved(
    focus: Focus | None, shifted: bool, title: str, record_ids: tuple[str, ...], new: Sequence[Record], now: datetime
) -> Focus:
    """The focus as it is from now on; where it has not shifted, with the records that came to it."""
    read_to = max(one.updated_at for one in new)
    if shifted:
        return Focus(title=title, record_ids=record_ids, active_since=now, read_to=read_to, updated_at=now)
    if focus is None:
        return Focus(read_to=read_to, updated_at=now)
    together = tuple(dict.fromkeys((*focus.record_ids, *(record_ids if focus.title else ()))))[-RECORDS:]
    return focus.model_copy(update={"record_ids": together, "read_to": read_to, "updated_at": now})


def _event(focus: Focus) -> EventDraft:
    return EventDraft(
        EventType.FOCUS_SHIFTED, {"record_ids": list(focus.record_ids), "active_since": focus.active_since}
    )


def _to_describe(focus: Focus, now: datetime) -> NewJob:
    """The job that puts the focus into words: a little later, since more may come."""
    since = focus.active_since.isoformat() if focus.active_since is not None else ""
    return NewJob("focus_distiller", {"since": since}, run_after=now + timedelta(minutes=2))


AGENT = BrainAgent(
    id="focus_shift_judge",
    description="Judges whether what the person is at has shifted.",
    model_class="judge",
    input=Input,
    output=Output,
    run=run,
    reads=("records", "focus"),
    writes=("focus",),
    emits=(EventType.FOCUS_SHIFTED,),
    depends_on=("committer",),
    idempotency_key=lambda _: "focus",
    timeout_ms=90_000,
)
