"""Cron rows on the clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta, timezone

import pytest

from infra.local.clock import VirtualClock
from infra.local.eventarc.lane import NotDelivered
from infra.local.meter import Meter
from infra.local.scheduler import SchedulerPart
from shared.contracts.manifest import FunctionRow

START = datetime(2026, 1, 1, 0, 2, tzinfo=timezone.utc)


def row(cron: str) -> FunctionRow:
    return FunctionRow.model_validate(
        {
            "name": "sweep",
            "entry_point": "sweep",
            "trigger": {"type": "schedule", "cron": cron},
            "invoker": "private",
            "service_account": "fn",
        }
    )


class Bench:
    def __init__(self, cron: str) -> None:
        self.clock = VirtualClock(START)
        self.calls: list[tuple[datetime, str, Mapping[str, str], bytes]] = []
        self.answer: Callable[[], int] = lambda: 200
        self.part = SchedulerPart([row(cron)], self.clock, Meter(), self.post)

    def post(self, name: str, headers: Mapping[str, str], body: bytes) -> int:
        self.calls.append((self.clock.now(), name, headers, body))
        return self.answer()

    def minutes(self, count: float) -> list[int]:
        """The minutes at which it was called in the next `count` minutes."""
        already = len(self.calls)
        self.clock.run_until(lambda: False, limit=timedelta(minutes=count), real_seconds=20)
        return [at.minute for at, *_ in self.calls[already:]]


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench("*/5 * * * *")
    yield bench
    bench.part.close()
    bench.clock.close()


def test_it_calls_when_the_expression_says(bench: Bench) -> None:
    bench.part.start()
    assert bench.minutes(19) == [5, 10, 15, 20]


def test_the_call_is_an_empty_object_in_the_name_of_the_job(bench: Bench) -> None:
    assert bench.part.run("sweep") == 200
    _, name, headers, body = bench.calls[0]
    assert (name, body) == ("sweep", b"{}")
    assert headers["X-CloudScheduler-JobName"] == "sweep"


def test_a_failed_run_waits_for_its_next_time(bench: Bench) -> None:
    def fail() -> int:
        raise NotDelivered("nobody is there")

    bench.answer = fail
    bench.part.start()
    assert bench.minutes(9) == [5, 10]
    assert bench.part.last["sweep"].status == 0


def test_a_run_that_lasts_makes_the_next_be_left_out(bench: Bench) -> None:
    def last() -> int:
        bench.clock.sleep(7 * 60)
        return 200

    bench.answer = last
    bench.part.start()
    assert bench.minutes(14) == [5, 15]
    bench.part.close()
    bench.minutes(10)  # the last run ends, and its thread with it


def test_after_close_nothing_is_called(bench: Bench) -> None:
    bench.part.start()
    bench.minutes(1)
    bench.part.close()
    assert bench.minutes(60) == []


def test_an_unknown_job_is_refused(bench: Bench) -> None:
    with pytest.raises(KeyError):
        bench.part.run("absent")
