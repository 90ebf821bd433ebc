from __future__ import annotations

import socket
import threading
import time
import traceback
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from shared.gateway.transport import Cut, Request, TransportError, build_client, exchange
from tests.unit.gateway.servers import answering, raw_server, streaming


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with build_client() as client:
        yield client


def body_of(client: httpx.Client, request: Request, *, max_bytes: int = 10_000, **options: Any) -> bytes:
    with exchange(client, request, **{"deadline_seconds": 5, **options}) as answer:
        return answer.body(max_bytes)


def test_a_body_comes_whole(client: httpx.Client) -> None:
    with raw_server(answering("200 OK", b"hello")) as (base, requests):
        assert body_of(client, Request("POST", base + "/x", {"A": "b"}, b"body")) == b"hello"
    assert requests[0].startswith(b"POST /x") and requests[0].endswith(b"body")


def test_a_trickle_is_cut_at_the_deadline(client: httpx.Client) -> None:
    def trickle(connection: socket.socket, _request: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(200):
            connection.sendall(b".")
            time.sleep(0.02)

    began = time.monotonic()
    with raw_server(trickle) as (base, _), pytest.raises(TransportError) as cut:
        body_of(client, Request("GET", base), deadline_seconds=0.3)
    assert (cut.value.reason, cut.value.sent) == ("deadline", True)
    assert time.monotonic() - began < 3


def test_slow_headers_are_cut_at_the_deadline(client: httpx.Client) -> None:
    stop = threading.Event()
    with raw_server(lambda _connection, _request: stop.wait(20) and None) as (base, _):
        with pytest.raises(TransportError) as cut, exchange(client, Request("GET", base), deadline_seconds=0.2):
            pass
        stop.set()
    assert (cut.value.reason, cut.value.sent) == ("deadline", True)


def test_a_blocked_read_is_freed_from_another_thread(client: httpx.Client) -> None:
    stop, handle = threading.Event(), Cut()
    with raw_server(streaming(b"data: 1\n\n", then=stop)) as (base, _), pytest.raises(TransportError) as cut:
        threading.Timer(0.2, handle.cut).start()
        body_of(client, Request("GET", base), deadline_seconds=20, cut=handle)
    stop.set()
    assert cut.value.reason == "cancelled"


def test_a_handle_that_was_cut_before_ends_what_begins_under_it(client: httpx.Client) -> None:
    handle = Cut()
    handle.cut()
    with raw_server(answering("200 OK", b"x")) as (base, _), pytest.raises(TransportError):
        body_of(client, Request("GET", base), cut=handle)


def test_the_deadline_of_one_exchange_does_not_end_the_next_under_the_same_handle(client: httpx.Client) -> None:
    stop, handle = threading.Event(), Cut()
    with raw_server(streaming(b"", then=stop)) as (base, _):
        with pytest.raises(TransportError):
            body_of(client, Request("GET", base), deadline_seconds=0.2, cut=handle)
        stop.set()
    with raw_server(answering("200 OK", b"next")) as (base, _):
        assert body_of(client, Request("GET", base), cut=handle) == b"next"


def test_a_pause_ends_when_the_handle_is_cut() -> None:
    outer = Cut()
    with outer.inner() as inner:
        assert inner.wait(0.01) is False
        threading.Timer(0.05, outer.cut, ["gone"]).start()
        assert inner.wait(10) is True
        assert inner.reason == "gone"


def test_an_inner_handle_leaves_its_outer_one_whole() -> None:
    outer = Cut()
    with outer.inner() as inner:
        inner.cut("deadline")
    assert outer.reason == "" and outer.wait(0) is False


def test_a_body_that_breaks_off_is_an_error(client: httpx.Client) -> None:
    def breaks(connection: socket.socket, _request: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")

    with raw_server(breaks) as (base, _), pytest.raises(TransportError) as broken:
        body_of(client, Request("GET", base))
    assert (broken.value.reason, broken.value.sent) == ("connection", True)


def test_a_body_that_is_too_long_is_not_read_to_its_end(client: httpx.Client) -> None:
    with raw_server(answering("200 OK", b"x" * 100_000)) as (base, _), pytest.raises(TransportError) as long:
        body_of(client, Request("GET", base), max_bytes=1_000)
    assert long.value.reason == "too_large"


def test_what_never_went_out_is_known_as_not_sent(client: httpx.Client) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    for url in (f"http://127.0.0.1:{port}/", "ftp://x/", "http://[::1/"):
        with pytest.raises(TransportError) as refused, exchange(client, Request("GET", url), deadline_seconds=5):
            pass
        assert refused.value.sent is False


def test_who_does_not_answer_is_named_without_what_may_be_secret(client: httpx.Client) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        request = Request("POST", f"http://user:secret@127.0.0.1:{port}/v1/secret?key=secret", {})
        with pytest.raises(TransportError) as caught, exchange(client, request, deadline_seconds=5):
            pass
    assert f"http://127.0.0.1:{port} " in caught.value.message and "secret" not in caught.value.message


@pytest.mark.parametrize("key", ["secret\n", "secret\0", "sécret"])
def test_credentials_that_cannot_be_sent_are_not_quoted_by_the_error(client: httpx.Client, key: str) -> None:
    with raw_server(answering("200 OK")) as (base, _), pytest.raises(TransportError) as refused:
        body_of(client, Request("GET", base, {"x-goog-api-key": key}))
    shown = "".join(traceback.format_exception(refused.value))
    assert "cret" not in refused.value.message and "cret\\n" not in shown
    assert (refused.value.reason, refused.value.sent) == ("malformed", False)


def test_redirects_are_not_followed(client: httpx.Client) -> None:
    talk = answering("302 Found", b"moved", "Location: http://127.0.0.1:1/\r\n")
    with raw_server(talk) as (base, requests):
        assert body_of(client, Request("GET", base)) == b"moved"
    assert len(requests) == 1


@pytest.mark.parametrize("header", [b"X: " + b"a" * 300_000, b"\xff\xfe: \x00"])
def test_hostile_headers_are_an_error_of_ours(client: httpx.Client, header: bytes) -> None:
    def talk(connection: socket.socket, _request: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n" + header + b"\r\n\r\n")

    with raw_server(talk) as (base, _), pytest.raises(TransportError):
        body_of(client, Request("GET", base))
