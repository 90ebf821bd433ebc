"""Which trace a document was written in, so that what its trigger begins is a part of it: the field `traceparent`.

It is written where spans are recorded, and nowhere else; no shape of ours has it, and none refuses it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from shared.store.writes import Write
from shared.telemetry import spans

FIELD = "traceparent"
_CREATED = frozenset({"operations", "turns", "agent_runs", "memory_jobs", "events"})
"""Work, and what is told of it: of the trace that has made them."""
_WRITTEN = frozenset({"notes"})
"""What triggers hear of each time it is written."""


def traced(writes: Iterable[Write]) -> Iterable[Write]:
    """The writes, with the present trace in those that triggers hear of."""
    if not spans.enabled() or not (parent := spans.traceparent()):
        return writes
    return [replace(write, fields={**write.fields, FIELD: parent}) if _heard_of(write) else write for write in writes]


def _heard_of(write: Write) -> bool:
    collection = ("", *write.path.split("/"))[-2]
    if collection in _WRITTEN:
        return write.kind in ("create", "set", "update")
    return write.kind == "create" and collection in _CREATED
