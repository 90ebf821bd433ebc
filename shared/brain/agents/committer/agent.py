"""Alone writes records: each decision is a commit of its own, made while it works and safe to make again.

So its outcome tells what became of the candidates whoever decided on them, and a job that is done twice counts once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from shared.brain.agent import BrainAgent, Desk, NewJob, Outcome
from shared.brain.agents.committer.schema import Input, Output
from shared.brain.committing import Committing
from shared.brain.critics import CRITICS, candidates
from shared.brain.forgetting import Forgetting
from shared.brain.neighbours import vectors
from shared.contracts.events import EventType
from shared.contracts.memory import BlackboardItem, ItemStatus
from shared.errors import Transient
from shared.gateway.transport import Cut
from shared.ids import derived

BATCH = 40
"""So many candidates are a job's; those beyond are the next one's."""
_GRAPH_RECORDS = 40
_FOCUS_AFTER, _IDENTITY_AFTER = timedelta(minutes=2), timedelta(minutes=10)
_SHOWN = 100


def run(given: Input, desk: Desk) -> Outcome:
    """Raises Transient."""
    forgetting = _forget(given, desk)
    mine, rest = given.item_ids[:BATCH], given.item_ids[BATCH:]
    siblings = given.siblings or given.item_ids
    committing = Committing(desk.store, desk.now(), frozenset(siblings), given.round, _vectors(desk, mine))
    so_far = _committed(committing, mine, desk.cut)
    mine, rest = mine[:so_far], (*mine[so_far:], *rest)
    deferred = [one for one in committing.deferred if one in mine]
    output = _output(desk, mine, deferred, forgetting.gone)
    return Outcome(
        output.model_dump(),
        enqueue=(*_rest(given, rest, siblings), *_following(desk, output)),
        batch=_judged_anew(deferred, given.round),
        counts={"admitted": output.admitted, "refused": output.refused, "merged": output.merged},
    )


def _forget(given: Input, desk: Desk) -> Forgetting:
    forgetting = Forgetting(desk.store, desk.now())
    if given.forget is not None and given.forget.kind == "record":
        forgetting.record(given.forget.id)
    elif given.forget is not None:
        forgetting.source(given.forget.kind, given.forget.id)
    if given.reread is not None:
        forgetting.read_anew(given.reread)
    return forgetting


def _vectors(desk: Desk, item_ids: Sequence[str]) -> Mapping[str, Sequence[float]]:
    """Made before the commits, which must not wait for a model."""
    pending = candidates(desk.store, item_ids) if desk.embedder is not None else []
    found = vectors(desk.embedder, [one.statement.text for one in pending], desk.cut)
    return {one.item.id: vector for one, vector in zip(pending, found or (), strict=False)}


def _committed(committing: Committing, item_ids: Sequence[str], cut: Cut) -> int:
    """How many of them are decided on, the first ones; the others are another job's.

    All committers of a workspace write one stream, and many at once keep each other waiting: as long as a job gets on,
    that is no failed attempt. Raises Transient where it got nowhere.
    """
    for number, item_id in enumerate(item_ids):
        if number and cut.reason:
            return number
        try:
            committing.commit(item_id)
        except Transient:
            if not number:
                raise
            return number
    return len(item_ids)


def _output(desk: Desk, item_ids: Sequence[str], deferred: Sequence[str], gone: Sequence[str]) -> Output:
    items = [one for one in desk.store.blackboard.several(item_ids).values() if one.id not in deferred]
    became = (one.parent_record_id for one in items if one.parent_record_id is not None)
    return Output(
        admitted=_count(items, ItemStatus.COMMITTED, ItemStatus.SUPERSEDED),
        refused=_count(items, ItemStatus.REJECTED),
        merged=_count(items, ItemStatus.MERGED),
        deferred=len(deferred),
        record_ids=tuple(dict.fromkeys(became)),
        forgotten=tuple(gone[:_SHOWN]),
    )


def _count(items: Sequence[BlackboardItem], *statuses: ItemStatus) -> int:
    return sum(one.status in statuses for one in items)


def _rest(given: Input, rest: Sequence[str], siblings: Sequence[str]) -> tuple[NewJob, ...]:
    if not rest:
        return ()
    following = Input(item_ids=tuple(rest), siblings=tuple(siblings), round=given.round)
    return (NewJob(AGENT.id, following.model_dump()),)


def _following(desk: Desk, output: Output) -> tuple[NewJob, ...]:
    """What is made of records is made anew, a little later: more may come."""
    jobs = []
    if output.record_ids:
        jobs.append(NewJob("graph_extractor", {"record_ids": list(output.record_ids[:_GRAPH_RECORDS])}))
    if output.record_ids or output.forgotten:
        jobs.append(NewJob("focus_shift_judge", {}, run_after=desk.now() + _FOCUS_AFTER))
        jobs.append(NewJob("identity_distiller", {}, run_after=desk.now() + _IDENTITY_AFTER))
    return tuple(jobs)


def _judged_anew(deferred: Sequence[str], round_: int) -> Mapping[str, Mapping[str, object]]:
    if not deferred:
        return {}
    asked = {"item_ids": list(deferred)}
    return {**dict.fromkeys(CRITICS, asked), "committer": {**asked, "round": round_ + 1}}


def _idempotency_key(given: Input) -> str:
    """Of candidates none: whoever judged them waits for this very job."""
    if given.forget is None or given.item_ids:
        return ""
    return derived("forget", given.forget.kind, given.forget.id)


AGENT = BrainAgent(
    id="committer",
    description="Decides on candidates, and alone writes records; forgets what rests on nothing any more.",
    model_class="none",
    input=Input,
    output=Output,
    run=run,
    reads=("blackboard", "records", "notes", "turns"),
    writes=("blackboard", "records", "contradictions"),
    emits=(
        EventType.MEMORY_STORED,
        EventType.MEMORY_MERGED,
        EventType.MEMORY_REJECTED,
        EventType.MEMORY_CONTRADICTED,
        EventType.MEMORY_FORGOTTEN,
    ),
    depends_on=CRITICS,
    idempotency_key=_idempotency_key,
    timeout_ms=120_000,
    batch_size=BATCH,
)
