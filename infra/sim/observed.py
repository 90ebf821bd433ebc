"""What a simulation has seen, from outside the product: every document change, paid run, message and answer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

from infra.sim.weather import Fault

TERMINAL = frozenset({"completed", "failed", "cancelled"})


@dataclass
class OperationSeen:
    """One operation, as its document was after its last change."""

    id: str
    fields: Mapping[str, Any]
    created: float
    """Seconds, as all times here."""
    asked_by: str = "tag"
    """tag | hand: an earlier version does not say so in the document."""
    earlier: bool = False
    """Whether code of the earlier version made the last change."""
    interval: int = -1
    """The number of the tagging of its note that it answers."""
    changed: float = 0.0
    ended: float | None = None
    longest_gap: float = 0.0
    """The longest time after the healing in which nothing happened to it while it was running."""
    intents: int = 0
    asked: int = 0
    """Requests to create a paid run."""
    runs: dict[str, float] = field(default_factory=dict)
    """Paid runs, by id, with the moment they were accepted."""
    create_faults: list[Fault] = field(default_factory=list)
    retagged: list[datetime] = field(default_factory=list)
    took_over: int = 0

    @property
    def running(self) -> bool:
        return self.fields["status"] not in TERMINAL


@dataclass
class NoteSeen:
    """One note: whether it stands there, and every moment at which it gained the tag."""

    fields: Mapping[str, Any] | None = None
    tagged: bool = False
    taggings: list[datetime] = field(default_factory=list)


@dataclass
class Observed:
    """Everything seen so far."""

    operations: dict[str, OperationSeen] = field(default_factory=dict)
    notes: dict[str, NoteSeen] = field(default_factory=lambda: defaultdict(NoteSeen))
    reports: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Report notes by operation."""
    events: dict[str, list[Mapping[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    """Event documents by stream ("operations/op_1"), as they came."""
    published: Counter[str] = field(default_factory=Counter)
    """How often each event id reached Pub/Sub."""
    woken: dict[str, str] = field(default_factory=dict)
    """Which operation each webhook has woken, by the webhook's id."""
    marks: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    """What was logged as an error with a traceback."""


def plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a raw Firestore document as Python values."""
    return {name: _value(value) for name, value in fields.items()}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value_type")
    if kind == "null_value":
        return None
    if kind == "timestamp_value":
        return value.timestamp_value.ToDatetime(tzinfo=timezone.utc)
    if kind == "map_value":
        return plain(value.map_value.fields)
    if kind == "array_value":
        return [_value(item) for item in value.array_value.values]
    return getattr(value, kind)
