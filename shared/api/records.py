"""The handlers of records: what is remembered, why, and a person's word on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response

from shared.api import answers, request
from shared.api.route import Call
from shared.contracts.brain_api import (
    ContradictionAnswer,
    ContradictionsAnswer,
    ContradictionView,
    RecordAnswer,
    RecordPatch,
    RecordsAnswer,
    RecordView,
    Settle,
)
from shared.contracts.limits import PAGE_SIZE
from shared.contracts.memory import Contradiction, Record
from shared.contracts.recall import RECALL_HITS_MAX, RecallHit
from shared.errors import InputError
from shared.store.workspace import WorkspaceStore

if TYPE_CHECKING:
    from shared.brain.choices import Choices


def list_records(call: Call) -> Response:
    query = dict(call.query)
    if "q" in query:
        return answers.model(_recalled(call, query))
    if "subject" in query:
        return answers.model(_about(call, query))
    from shared.store.records import RecordsWanted

    records, next_cursor = call.store.records.list(RecordsWanted(**{"limit": PAGE_SIZE, **query}))
    return answers.model(RecordsAnswer(records=tuple(map(_view, records)), next_cursor=next_cursor))


def get_record(call: Call) -> Response:
    return answers.model(RecordAnswer(record=call.store.records.get(call.id)))


def why_record(call: Call) -> Response:
    from shared.memory.why import why

    return answers.model(why(call.store, call.id))


def patch_record(call: Call) -> Response:
    change = request.body(call.request, RecordPatch)
    choices, record = _choices(call), None
    if change.pinned is not None:
        record = choices.pin(call.id, change.pinned)
    if change.excluded is not None:
        record = choices.exclude(call.id, change.excluded)
    return answers.model(RecordAnswer(record=record or call.store.records.get(call.id)))


def retract_record(call: Call) -> Response:
    return answers.model(RecordAnswer(record=_choices(call).retract(call.id)))


def restore_record(call: Call) -> Response:
    return answers.model(RecordAnswer(record=_choices(call).restore(call.id)))


def list_contradictions(call: Call) -> Response:
    found, next_cursor = call.store.contradictions.list(**{"limit": PAGE_SIZE, **call.query})
    return answers.model(ContradictionsAnswer(contradictions=_views(call.store, found), next_cursor=next_cursor))


def settle_contradiction(call: Call) -> Response:
    wanted = request.body(call.request, Settle)
    settled = _choices(call).settle(call.id, wanted.keep)
    return answers.model(ContradictionAnswer(contradiction=_views(call.store, (settled,))[0]))


def reopen_contradiction(call: Call) -> Response:
    reopened = _choices(call).reopen(call.id)
    return answers.model(ContradictionAnswer(contradiction=_views(call.store, (reopened,))[0]))


def _choices(call: Call) -> Choices:
    from shared.brain.choices import Choices

    return Choices(call.store, call.app.clock, call.principal.name)


def _recalled(call: Call, query: dict[str, Any]) -> RecordsAnswer:
    """One page: recall ranks a bounded number of records and looks at no more."""
    _refuse(query, "cursor", "with q there is one page")
    _refuse(query, "subject", "give q or subject")
    limit = min(query.get("limit", PAGE_SIZE), RECALL_HITS_MAX)
    found = call.app.recall(call.principal.workspace).recall(query["q"], limit=limit, as_of=query.get("as_of"))
    hits = (hit for hit in found.hits if _fits(hit.record, query))
    return RecordsAnswer(records=tuple(map(_hit, hits)), message=found.message)


def _about(call: Call, query: dict[str, Any]) -> RecordsAnswer:
    from shared.memory.keys import key_of
    from shared.store.record_search import Held

    _refuse(query, "cursor", "with subject there is one page")
    held, limit = Held(query.get("as_of")), query.get("limit", PAGE_SIZE)
    found = call.store.record_search.about(key_of(query["subject"]), held, limit)
    return RecordsAnswer(records=tuple(_view(one) for one in found if _fits(one, query)))


def _refuse(query: dict[str, Any], name: str, why: str) -> None:
    if name in query:
        raise InputError(f"{name}: {why}", field=name)


def _fits(record: Record, query: dict[str, Any]) -> bool:
    return all(getattr(record, name) == query[name] for name in ("type", "status", "pinned") if name in query)


def _view(record: Record) -> RecordView:
    from shared.memory.links import links_of

    return RecordView(**_fields(record), links=links_of(record.sources))


def _hit(hit: RecallHit) -> RecordView:
    return RecordView(
        **_fields(hit.record),
        matched=hit.matched,
        relevant=hit.relevant,
        annotation=hit.annotation,
        links=hit.links,
        score=hit.score,
    )


def _views(store: WorkspaceStore, found: tuple[Contradiction, ...]) -> tuple[ContradictionView, ...]:
    """Each with its records, which are read all at once."""
    known = store.records.several(list(dict.fromkeys(name for one in found for name in one.record_ids)))
    return tuple(
        ContradictionView(**_fields(one), records=tuple(known[name] for name in one.record_ids if name in known))
        for one in found
    )


def _fields(model: Record | Contradiction) -> dict[str, Any]:
    return {name: getattr(model, name) for name in type(model).model_fields}
