"""Following an event stream through broken connections."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

import pytest

from infra.cli.address import Address
from infra.cli.client import ApiClient, Unreachable
from infra.cli.follow import Followed, Follower, OutOfTime, records
from tests.unit.cli.server import Answer, Script, event, frames, operation

EVENTS = "/api/v1/operations/op_1/events"
OPERATION = "/api/v1/operations/op_1"


class Hurrying:
    """A clock on which sleeping takes no time of ours."""

    def __init__(self) -> None:
        self._now = datetime(2026, 11, 30, tzinfo=timezone.utc)

    def now(self) -> datetime:
        self._now += timedelta(milliseconds=1)
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)


def client_of(url: str) -> ApiClient:
    return ApiClient(Address(url, "", "secret"), clock=Hurrying())


def test_records_do_not_depend_on_where_the_bytes_are_cut() -> None:
    text = (
        'retry: 500\n\n: heartbeat\n\nid: 1\r\nevent: x\r\ndata: {"a":\r\ndata:"é\u2028"}\r\n\r\nid: 2\ndata: cut off'
    )
    raw = text.encode()
    whole = list(records([raw]))
    assert whole == [{"retry": "500"}, {}, {"id": "1", "event": "x", "data": '{"a":\n"é\u2028"}'}]
    assert list(records(raw[i : i + 1] for i in range(len(raw)))) == whole


def test_a_broken_stream_is_resumed_and_each_event_comes_once(script: Script) -> None:
    cut = frames(event(1), event(2)) + b'id: 3\ndata: {"half'
    script.on("GET", EVENTS, Answer(cut), Answer(frames(event(2), event(3, "completed"))))
    script.on("GET", OPERATION, Answer({"operation": operation()}))
    with client_of(script.url) as client:
        follower = Follower(client, Followed(OPERATION, "operation"))
        assert [item["seq"] for item in follower.events()] == [1, 2, 3]
    asked = [seen.headers.get("Last-Event-ID") for seen in script.seen if seen.path == EVENTS]
    assert asked == [None, "2"]
    assert follower.resumed == 1


def test_a_stream_whose_end_was_seen_before_ends_at_once(script: Script) -> None:
    script.on("GET", EVENTS, Answer(b": nothing more\n\n"))
    script.on("GET", OPERATION, Answer({"operation": operation("completed", seq=3)}))
    with client_of(script.url) as client:
        assert list(Follower(client, Followed(OPERATION, "operation"), after=3).events()) == []


def test_an_operation_that_ended_meanwhile_is_read_to_its_last_event(script: Script) -> None:
    script.on("GET", EVENTS, Answer(frames(event(1))), Answer(frames(event(2), event(3, "failed"))))
    script.on("GET", OPERATION, Answer({"operation": operation("failed", seq=3)}))
    with client_of(script.url) as client:
        assert [item["seq"] for item in Follower(client, Followed(OPERATION, "operation")).events()] == [1, 2, 3]


def test_the_time_given_is_kept(script: Script) -> None:
    script.on("GET", EVENTS, Answer(b": heartbeat\n\n"))
    script.on("GET", OPERATION, Answer({"operation": operation()}))
    with client_of(script.url) as client, pytest.raises(OutOfTime):
        list(Follower(client, Followed(OPERATION, "operation"), limit_seconds=5).events())


def test_a_server_that_stays_away_is_given_up() -> None:
    with client_of("http://127.0.0.1:9") as client, pytest.raises(Unreachable, match="memex up"):
        list(Follower(client, Followed(OPERATION, "operation")).events())


def test_a_server_that_only_breaks_its_connections_is_not_given_up(script: Script) -> None:
    class Slow(Hurrying):
        def sleep(self, seconds: float) -> None:
            super().sleep(40)

    cut = Answer(b": heartbeat\n\n", headers={"Content-Length": "1000"})
    script.on("GET", EVENTS, cut, cut, cut, cut, Answer(frames(event(1, "completed"))))
    with ApiClient(Address(script.url, "", "secret"), clock=Slow()) as client:
        assert [item["seq"] for item in Follower(client, Followed(OPERATION, "operation")).events()] == [1]


def test_a_refused_stream_is_not_asked_for_again(script: Script) -> None:
    with client_of(script.url) as client, pytest.raises(Exception, match="no /api/v1"):
        list(Follower(client, Followed(OPERATION, "operation")).events())
    assert len(script.seen) == 1


def test_envelopes_are_given_as_they_are(script: Script) -> None:
    script.on("GET", EVENTS, Answer(frames(event(1, "completed", text="\u2028 é"))))
    with client_of(script.url) as client:
        (only,) = Follower(client, Followed(OPERATION, "operation")).events()
    assert json.dumps(only) == json.dumps(event(1, "completed", text="\u2028 é"))


def test_a_server_is_not_said_to_be_away_when_the_time_is_over() -> None:
    said: list[str] = []
    followed = Followed(OPERATION, "operation")
    follower = Follower(
        client_of("http://127.0.0.1:9"), followed, limit_seconds=0.001, away=lambda: said.append("away")
    )
    with pytest.raises(OutOfTime):
        list(follower.events())
    assert said == []
