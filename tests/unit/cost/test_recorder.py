"""Which request used what."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from infra.cost.recorder import Recorder, kind_of


class Time:
    """A clock and a machine's time, both moved by hand."""

    def __init__(self) -> None:
        self.cloud, self.machine = datetime(2026, 1, 1, tzinfo=timezone.utc), 0.0

    def pass_minutes(self, minutes: float) -> None:
        self.cloud += timedelta(minutes=minutes)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def recorder(time: Time) -> Recorder:
    return Recorder(lambda: time.cloud, lambda: time.machine)


@pytest.mark.parametrize(
    ("function", "path", "kind"),
    [
        ("research", "/research/poll", "research/poll"),
        ("reconcile", "/reconcile/", "reconcile"),
        ("api", "/api/api/v1/notes/01J?x=1", "api notes"),
        ("api", "/api/api/v1/operations/op_1/events", "api operations events"),
        ("chat", "/chat/api/v1/chat/sessions/s/messages", "chat chat messages"),
    ],
)
def test_requests_are_told_apart_by_what_they_ask_for_and_not_by_ids(function: str, path: str, kind: str) -> None:
    assert kind_of(function, path) == kind


def test_what_is_counted_belongs_to_the_request_that_began_last(recorder: Recorder, time: Time) -> None:
    outer = recorder.began("chat", "/chat/")
    recorder.add("firestore", "document_reads", 3)
    inner = recorder.began("enrich", "/enrich/")
    recorder.add("firestore", "document_writes", 2)
    recorder.ended(inner, 0.5)
    recorder.add("firestore", "document_reads", 1)
    recorder.ended(outer, 2.0)
    chat, enrich = recorder.kinds["chat"], recorder.kinds["enrich"]
    assert dict(chat.units) == {"firestore.document_reads": 4} and chat.round_trips == 2 and chat.waited == 2.0
    assert dict(enrich.units) == {"firestore.document_writes": 2} and enrich.round_trips == 1
    assert recorder.totals()["firestore", "document_reads"] == 4


def test_the_machines_time_belongs_to_whoever_works(recorder: Recorder, time: Time) -> None:
    outer = recorder.began("chat", "/chat/")
    time.machine = 1.0
    inner = recorder.began("enrich", "/enrich/")
    time.machine = 4.0
    recorder.ended(inner, 0.0)
    time.machine = 4.5
    recorder.ended(outer, 0.0)
    assert (recorder.kinds["chat"].own, recorder.kinds["enrich"].own) == ([1.5], [3.0])


def test_a_function_is_cold_at_first_and_after_a_quarter_of_an_hour_without_work(
    recorder: Recorder, time: Time
) -> None:
    for minutes in (0, 14, 14, 16):
        time.pass_minutes(minutes)
        recorder.ended(recorder.began("api", "/api/api/v1/notes"), 1.0)
    assert (recorder.kinds["api notes"].count, recorder.kinds["api notes"].cold) == (4, 2)
    recorder.clear()
    recorder.ended(recorder.began("api", "/api/api/v1/notes"), 1.0)
    assert recorder.kinds["api notes"].cold == 0, "what was counted is forgotten, not that it is warm"
