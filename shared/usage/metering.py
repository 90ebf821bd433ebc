"""The meter: every piece of work that has ended is added to its month, once, by the event that ended it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import ValidationError

from shared.contracts.events import EventType
from shared.contracts.operations import DEEP_RESEARCH, Usage
from shared.contracts.prices import input_tokens, output_tokens, usd_of
from shared.contracts.usage import UsageKind, UsageSums
from shared.errors import InputError
from shared.store.usage import MICROS, Entry
from shared.store.workspace import WorkspaceStore
from shared.trace.received import TraceEvent
from shared.usage.months import month_of

ENDS: Mapping[tuple[str, str], UsageKind] = {
    ("chat_sessions", EventType.TURN_ENDED): UsageKind.CHAT,
    ("operations", EventType.COMPLETED): UsageKind.RESEARCH,
    ("operations", EventType.FAILED): UsageKind.RESEARCH,
    ("operations", EventType.CANCELLED): UsageKind.RESEARCH,
    ("agent_runs", EventType.RUN_COMPLETED): UsageKind.RUN,
}
"""(collection of the stream's owner, event type) and what has ended with it. The place to add a kind of work: its last
event carries data.usage."""

_MOST = 10**12
"""Counts end here: a year of sums of them still fits the 64 bits that the store has."""


class Metering:
    def __init__(self, store: Callable[[str], WorkspaceStore]) -> None:
        self._store = store

    def event(self, event: TraceEvent) -> None:
        """Count the event if work ended with it and it was not counted before. Late ones go to their own month.

        Raises InputError for a usage that is none, NotFound, Malformed, and Transient when it is to be delivered again.
        """
        collection, _, owner = event.envelope.stream.partition("/")
        kind = ENDS.get((collection, event.envelope.type))
        if kind is None or (kind is UsageKind.RUN and event.envelope.data.get("operation_id")):
            return  # a run that researches is counted with its operation
        store = self._store(event.workspace)
        usage = _operation_usage(store, owner) if kind is UsageKind.RESEARCH else _told_usage(event)
        if usage is not None:
            holds = kind in (UsageKind.RESEARCH, UsageKind.RUN)
            store.usage.count(
                Entry(
                    key=event.key("usage"),
                    month=month_of(event.envelope.at),
                    kind=kind,
                    sums=sums(usage),
                    work_id=owner if holds else "",
                )
            )


def sums(usage: Usage) -> UsageSums:
    """One piece of work with this usage, at list price."""
    bounded = Usage(**{name: _bounded(getattr(usage, name)) for name in Usage.model_fields if name != "v"})
    bounded = bounded.model_copy(update={"discount_micros": max(-_MOST, min(usage.discount_micros, _MOST))})
    return UsageSums(
        count=1,
        input_tokens=input_tokens(bounded),
        output_tokens=output_tokens(bounded),
        searches=bounded.searches,
        usd_micros=round(usd_of(bounded) * MICROS),
    )


def _bounded(count: int) -> int:
    return min(max(count, 0), _MOST)


def _operation_usage(store: WorkspaceStore, operation_id: str) -> Usage | None:
    """An operation has its usage in its document; None for one that is no research."""
    operation = store.operations.get(operation_id)
    return operation.usage if operation.kind == DEEP_RESEARCH else None


def _told_usage(event: TraceEvent) -> Usage:
    try:
        return Usage.model_validate(event.envelope.data.get("usage") or {})
    except ValidationError as error:
        raise InputError(f"{event.envelope.stream}: the usage of event {event.envelope.id} is none") from error
