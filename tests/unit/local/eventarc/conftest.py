"""Eventarc on a change log in memory and a virtual clock, delivering to a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from google.cloud.firestore_v1.types import document

from infra.local.clock import VirtualClock
from infra.local.eventarc.lane import DeliveryRequest, NotDelivered, RetryPolicy
from infra.local.eventarc.part import EventarcPart, EventarcSettings
from infra.local.faults import Faults
from infra.local.meter import Meter
from shared.contracts.manifest import FunctionRow

DOCUMENTS = "projects/memex-local/databases/(default)/documents"
PREFIX = "google.cloud.firestore.document.v1."
IMPATIENT = RetryPolicy()


@dataclass(frozen=True)
class FakeChange:
    seq: int
    commit_time: datetime
    name: str
    old: Any | None
    new: Any | None
    update_mask: tuple[str, ...] | None


class FakeLog:
    """The change log as eventarc knows it."""

    def __init__(self) -> None:
        self.kept: list[FakeChange] = []
        self._pokes: list[Callable[[], None]] = []

    def after(self, seq: int, limit: int) -> list[FakeChange]:
        return [change for change in self.kept if change.seq > seq][:limit]

    def subscribe(self, poke: Callable[[], None]) -> None:
        self._pokes.append(poke)

    def prune(self, before_seq: int) -> None:
        self.kept = [change for change in self.kept if change.seq >= before_seq]

    def write(
        self, path: str, old: dict[str, str] | None, new: dict[str, str] | None, *, under: str = DOCUMENTS
    ) -> None:
        """Append a change of the document at `path`; fields are strings."""
        name, seq = f"{under}/{path}", len(self.kept) + 1
        mask = tuple(sorted(new)) if old is not None and new is not None else None
        time = datetime(2026, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seq)
        self.kept.append(FakeChange(seq, time, name, _document(name, old), _document(name, new), mask))
        for poke in self._pokes:
            poke()


def _document(name: str, fields: dict[str, str] | None) -> Any | None:
    if fields is None:
        return None
    return document.Document.pb()(name=name, fields={key: {"string_value": value} for key, value in fields.items()})


def trigger(name: str, event: str = "written", pattern: str = "notes/{note}", **changes: Any) -> FunctionRow:
    """A row of a function triggered by documents; `changes` are retry and concurrency."""
    retry = changes.pop("retry", True)
    return FunctionRow.model_validate(
        {
            "name": name,
            "entry_point": name,
            "trigger": {"type": "firestore", "event": PREFIX + event, "document": pattern, "retry": retry},
            "invoker": "private",
            "service_account": "fn",
            **changes,
        }
    )


class Bench:
    """Eventarc under test. `answers` says what a function answers; a missing one answers 200."""

    def __init__(self, where: Path) -> None:
        self.where = where
        self.clock = VirtualClock(datetime(2026, 1, 1, tzinfo=timezone.utc))
        self.log = FakeLog()
        self.faults = Faults(self.clock)
        self.delivered: list[DeliveryRequest] = []
        self.times: list[datetime] = []
        self.answers: dict[str, Callable[[DeliveryRequest], int]] = {}
        self.part: EventarcPart | None = None

    def start(self, *rows: FunctionRow, policy: RetryPolicy = IMPATIENT) -> EventarcPart:
        """A part on the bench's folder; call it again for a restart."""
        if self.part is not None:
            self.part.close()
        self.part = EventarcPart(self.where, self.clock, Meter(), EventarcSettings(rows, policy=policy), self.faults)
        self.part.start(self.log, self.deliver)
        return self.part

    def deliver(self, request: DeliveryRequest) -> int:
        self.delivered.append(request)
        self.times.append(self.clock.now())
        answer = self.answers.get(request.function)
        return answer(request) if answer else 200

    def settle(self, seconds: float = 0.0) -> None:
        """Let so much virtual time pass."""
        self.clock.run_until(lambda: False, limit=timedelta(seconds=seconds), real_seconds=20)

    def states(self) -> dict[str, dict[str, int]]:
        assert self.part is not None
        return self.part.counts()

    def close(self) -> None:
        if self.part is not None:
            self.part.close()
        self.clock.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.close()


def unreachable(_request: DeliveryRequest) -> int:
    raise NotDelivered("ConnectionRefusedError: nobody is there")
