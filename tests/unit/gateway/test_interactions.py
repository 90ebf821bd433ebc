from __future__ import annotations

import json
import socket
import threading
import time

import pytest

from shared.errors import Transient
from shared.gateway import backends
from shared.gateway.interactions import InteractionError, Interactions
from shared.gateway.transport import build_client
from tests.unit.gateway.servers import answering, raw_server, streaming

CREATED = b'event: interaction.created\ndata: {"event_type":"interaction.created","interaction":{"id":"v1_a"}}\n\n'


def of(base: str) -> Interactions:
    return Interactions(build_client(), backends.gemini("key-1", base))


def test_create_reads_as_far_as_the_id_of_a_stream_that_stays_open() -> None:
    stop = threading.Event()
    with raw_server(streaming(CREATED, then=stop)) as (base, requests):
        began = time.monotonic()
        assert of(base).create({"agent": "a", "input": "x"}, deadline_seconds=10) == "v1_a"
        assert time.monotonic() - began < 5
        stop.set()
    head, _, body = requests[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v1/interactions ") and b"x-goog-api-key: key-1" in head
    assert json.loads(body) == {"agent": "a", "input": "x", "background": True, "store": True, "stream": True}


@pytest.mark.parametrize(
    "stream",
    [
        b'data: {"interaction_id":"v1_a","event_type":"interaction.in_progress"}\r\n\r\n',
        b': ka\n\nevent: error\ndata: {}\n\ndata: {"type":"interaction.start","id":"v1_a"}\n\n',
        b'data: not json\n\ndata:\n\ndata: []\n\ndata:{"interaction":{"id":"v1_a"}}',
        b'\xef\xbb\xbf: bom\r\rdata: {"interaction": "x", "interaction_id": "v1_a"}\r\r',
        b'data: {"interaction":\ndata: {"id":"v1_a"}}\n\n',
    ],
)
def test_the_id_is_found_in_every_form_of_event(stream: bytes) -> None:
    pieces = [stream[n : n + 7] for n in range(0, len(stream), 7)]
    with raw_server(streaming(*pieces)) as (base, _):
        assert of(base).create({}, deadline_seconds=10) == "v1_a"


def test_an_answer_that_is_plain_json_has_the_id_too() -> None:
    with raw_server(answering("200 OK", b'{"id":"v1_a"}', "Content-Type: application/json\r\n")) as (base, _):
        assert of(base).create({}, deadline_seconds=10) == "v1_a"


@pytest.mark.parametrize(
    "stream",
    [b"", b"data: [DONE]\n\n", b'data: {"event_type":"error","error":{"code":"x"}}\n\n', b'data: {"id":"\\ud800"}\n\n'],
)
def test_a_stream_without_an_id_may_have_begun_a_run(stream: bytes) -> None:
    with raw_server(streaming(stream)) as (base, requests), pytest.raises(InteractionError) as lost:
        of(base).create({}, deadline_seconds=10)
    assert lost.value.sent and lost.value.reason == "malformed"
    assert len(requests) == 1


def test_a_create_without_an_answer_ends_at_its_deadline_and_may_have_begun_a_run() -> None:
    stop = threading.Event()
    with raw_server(streaming(b": ka\n\n", then=stop)) as (base, requests), pytest.raises(InteractionError) as lost:
        of(base).create({}, deadline_seconds=0.3)
    stop.set()
    assert (lost.value.reason, lost.value.sent, len(requests)) == ("timeout", True, 1)


@pytest.mark.parametrize(
    ("status", "sent", "permanent"),
    [
        (400, False, True), (401, False, True), (403, False, True), (404, False, True), (422, False, True),
        (429, False, False), (408, True, False), (409, True, False), (500, True, False), (503, True, False),
    ],
)  # fmt: skip
def test_each_refusal_tells_whether_a_run_may_have_begun(status: int, sent: bool, permanent: bool) -> None:
    body = b'{"error":{"code":"x","message":"told why"}}'
    with raw_server(answering(f"{status} X", body)) as (base, requests), pytest.raises(InteractionError) as refused:
        of(base).create({}, deadline_seconds=10)
    error = refused.value
    assert (error.reason, error.sent, error.permanent) == (f"http_{status}", sent, permanent)
    assert "told why" in error.message
    assert len(requests) == 1, "a create is sent once"


@pytest.mark.parametrize(
    ("header", "seconds"), [("7", 7), ("999999999", 60), ("-1", 1), ("NaN", 5), ("Fri, 31 Dec 9999", 5), ("inf", 60)]
)
def test_retry_after_is_kept_within_reason(header: str, seconds: float) -> None:
    talk = answering("429 X", b"busy", f"Retry-After: {header}\r\n")
    with raw_server(talk) as (base, _), pytest.raises(InteractionError) as refused:
        of(base).create({}, deadline_seconds=10)
    assert refused.value.retry_after_seconds == seconds


def test_no_route_is_not_sent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    with pytest.raises(InteractionError) as unsent:
        of(f"http://127.0.0.1:{port}").create({}, deadline_seconds=5)
    assert (unsent.value.sent, unsent.value.permanent) == (False, False)


def test_get_shows_status_steps_errors_and_usage() -> None:
    value = {
        "status": "failed", "steps": [{"type": "thought"}, 3, None], "usage": {"total_tokens": 1},
        "errors": [{"code": "13", "message": "x"}, {"code": 13}, "odd", None],
    }  # fmt: skip
    with raw_server(answering("200 OK", json.dumps(value).encode())) as (base, requests):
        found = of(base).get("v1_a/b?c")
    assert requests[0].startswith(b"GET /v1/interactions/v1_a%2Fb%3Fc?stream=false ")
    assert (found.status, list(found.steps), found.usage) == ("failed", [{"type": "thought"}], {"total_tokens": 1})
    assert list(found.errors) == [("13", "x"), ("13", ""), ("", "odd")]


def test_what_a_service_says_of_a_failure_is_printable() -> None:
    failing = {"status": "fai\x1bled", "errors": [{"code": "\x07", "message": "a\x1b[31m\ud800"}, "\0"]}
    with raw_server(answering("200 OK", json.dumps(failing).encode())) as (base, _):
        found = of(base).get("v1_a")
    assert (found.status, found.errors[0]) == ("fai\\x1bled", ("\\x07", "a\\x1b[31m\\ud800"))
    refusal = json.dumps({"error": {"message": "quota\x1b[31m"}}).encode()
    with raw_server(answering("429 X", refusal)) as (base, _), pytest.raises(InteractionError) as refused:
        of(base).get("v1_a")
    assert refused.value.message.endswith("quota\\x1b[31m")


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"3", b"[" * 100_000, b'{"status": {}'])
def test_a_malformed_answer_to_get_is_an_error_of_ours(body: bytes) -> None:
    with raw_server(answering("200 OK", body)) as (base, _), pytest.raises(InteractionError) as malformed:
        of(base).get("v1_a")
    assert malformed.value.reason == "malformed"


@pytest.mark.parametrize("value", [{}, {"status": 3, "steps": "x", "errors": {}, "usage": []}, {"steps": None}])
def test_fields_of_other_shapes_are_left_out(value: object) -> None:
    with raw_server(answering("200 OK", json.dumps(value).encode())) as (base, _):
        found = of(base).get("v1_a")
    assert (found.status, found.steps, found.errors, found.usage) == ("", (), (), None)


def test_cancel_is_content_with_a_run_that_has_ended_or_is_unknown() -> None:
    for status in ("200 OK", "400 X", "404 X"):
        with raw_server(answering(status, b"{}")) as (base, requests):
            of(base).cancel("v1_a")
        assert requests[0].startswith(b"POST /v1/interactions/v1_a/cancel ")


@pytest.mark.parametrize("status", [401, 403, 429, 500])
def test_cancel_raises_where_the_run_may_go_on(status: int) -> None:
    with raw_server(answering(f"{status} X")) as (base, _), pytest.raises(InteractionError):
        of(base).cancel("v1_a")


def test_vertex_has_its_own_address_and_a_bearer_token() -> None:
    with raw_server(answering("200 OK", b'{"status":"queued"}')) as (base, requests):
        vertex = Interactions(build_client(), backends.vertex("my-project", lambda: "tok", base))
        assert vertex.get("v1_a").status == "queued"
    assert requests[0].startswith(b"GET /v1beta1/projects/my-project/locations/global/interactions/v1_a?stream=false")
    assert b"Authorization: Bearer tok" in requests[0]


def test_without_credentials_nothing_is_sent() -> None:
    def none() -> str:
        raise Transient("no credentials")

    with raw_server(answering("200 OK")) as (base, requests), pytest.raises(InteractionError) as unsent:
        Interactions(build_client(), backends.vertex("p", none, base)).create({}, deadline_seconds=5)
    assert (unsent.value.reason, unsent.value.sent, requests) == ("credentials", False, [])
