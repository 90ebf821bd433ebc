"""Requests as bytes: what no client library sends is refused in a sentence, and never takes the server by surprise."""

from __future__ import annotations

import io
import json
import socket
from typing import Any

import pytest

from infra.local.front.chunks import BadChunks, Chunks
from tests.unit.local.front.conftest import FrontUnderTest

PATHS = ("/probe/echo", "/_cloud/faults", "/")


def sent(front: FrontUnderTest, raw: bytes, *, ends: bool = False) -> tuple[int, Any]:
    """The status and the body of the answer to these bytes; `ends`: after them the client says that no more come."""
    host, port = front.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as client:
        client.sendall(raw)
        if ends:
            client.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: client.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head, "an empty answer"
    is_json = b"application/json" in head and b"chunked" not in head
    return int(head.split(b" ")[1]), json.loads(body) if is_json else body


def request(line: bytes, *headers: bytes, body: bytes = b"") -> bytes:
    return b"\r\n".join([line, b"Host: localhost", *headers, b"", body])


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("/probe/echo?q=é", "/echo?q=%C3%A9"),
        ("/probe/echo?q=à\u00a0\u0085", "/echo?q=%C3%A0%C2%A0%C2%85"),
        ("/probe/echo/été", "/echo/été?"),
    ],
)
def test_bytes_beyond_ascii_in_the_target_arrive_percent_encoded(front: FrontUnderTest, target: str, path: str) -> None:
    status, body = sent(front, request(f"GET {target} HTTP/1.1".encode()))
    assert (status, body["path"]) == (200, f"/probe{path}")


def test_bytes_that_are_no_utf_8_arrive_as_they_are(front: FrontUnderTest) -> None:
    status, body = sent(front, request(b"GET /probe/echo?q=\xff\xe9 HTTP/1.1"))
    assert (status, body["path"]) == (200, "/probe/echo?q=%FF%E9")


@pytest.mark.parametrize(
    "line",
    [
        b"GET /probe/\x01echo HTTP/1.1",
        b"GET /probe/echo\x7f HTTP/1.1",
        b"GET /probe/echo?a\tb HTTP/1.1",
        b"GET /probe/\x00 HTTP/1.1",
        b"GET /a b HTTP/1.1",
        b"G(T /probe/echo HTTP/1.1",
        b"G\xc3\x89T /probe/echo HTTP/1.1",
        b" /probe/echo HTTP/1.1",
        b"GET probe HTTP/1.1",
        b"OPTIONS * HTTP/1.1",
        b"CONNECT localhost:443 HTTP/1.1",
        b"GET http://[bad/ HTTP/1.1",
        b"GET http:///probe HTTP/1.1",
        b"GET /probe/echo HTTP/x",
        b"GET /probe/echo HTTP/1." + b"1" * 5000,
    ],
)
def test_a_request_line_that_is_none_is_400_with_a_sentence(front: FrontUnderTest, line: bytes) -> None:
    status, body = sent(front, request(line))
    assert status == 400
    assert body["error"]["code"] == 400 and body["error"]["message"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "header",
    [b"X-Mine: a\x00b", b"X-Mine: a\x1b[2J", b"X-M\xc3\xa9: a", b"X Mine: a", b"(X): a"],
)
def test_a_header_that_cannot_be_passed_on_is_400(front: FrontUnderTest, path: str, header: bytes) -> None:
    assert sent(front, request(b"GET %s HTTP/1.1" % path.encode(), header))[0] == 400


def test_a_header_beyond_ascii_arrives_as_sent(front: FrontUnderTest) -> None:
    status, body = sent(front, request(b"GET /probe/echo HTTP/1.1", b"X-Mine: \xe9"))
    assert (status, body["headers"]["X-Mine"]) == (200, "\xe9")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("length", [b"9" * 5000, b"-1", b"+1", b"1_0", b"abc", "٣".encode(), b"1, 1"])
def test_a_length_that_is_none_is_400(front: FrontUnderTest, path: str, length: bytes) -> None:
    line = b"POST %s HTTP/1.1" % path.encode()
    assert sent(front, request(line, b"Content-Length: " + length, body=b"x"))[0] == 400


def test_a_body_that_is_shorter_than_its_length_is_400(front: FrontUnderTest) -> None:
    assert sent(front, request(b"POST /probe/echo HTTP/1.1", b"Content-Length: 9", body=b"{}"), ends=True)[0] == 400


BAD_CHUNKS = [
    b"zz\r\nab\r\n0\r\n\r\n",
    b"-1\r\nab\r\n0\r\n\r\n",
    b"0x2\r\nab\r\n0\r\n\r\n",
    b"1_0\r\nab\r\n0\r\n\r\n",
    b"\r\nab\r\n0\r\n\r\n",
    b"1\r\nab\r\n0\r\n\r\n",
    b"5\r\nab",
    b"fffffff\r\nab",
    b"f" * 5000 + b"\r\nab",
    b"2\r\nab\r\n",
    b"2\r\nab\r\n0\r\n",
    b"2\r\nab\r\n0\r\nTrailer: unended",
]


@pytest.mark.parametrize("path", ["/probe/echo", "/_cloud/faults"])
@pytest.mark.parametrize("body", BAD_CHUNKS)
def test_chunks_that_are_none_are_400(front: FrontUnderTest, path: str, body: bytes) -> None:
    headers = (b"Transfer-Encoding: chunked", b"Content-Type: application/json")
    raw = request(b"POST %s HTTP/1.1" % path.encode(), *headers, body=body)
    status, answer = sent(front, raw, ends=True)
    assert status == 400
    assert path != "/probe/echo" or answer["error"]["message"]


def test_chunks_with_extensions_and_trailers_arrive_whole(front: FrontUnderTest) -> None:
    body = b"2;a=b\r\nab\r\n1 \r\nc\r\n0\r\nX-Later: yes\r\n\r\n"
    status, answer = sent(front, request(b"POST /probe/echo HTTP/1.1", b"Transfer-Encoding: chunked", body=body))
    assert (status, answer["body"]) == (200, "abc")


def test_a_malformed_body_is_ended_once_that_was_said() -> None:
    chunks = Chunks(io.BytesIO(b"2\r\nab\r\nzz\r\n"))
    with pytest.raises(BadChunks):
        chunks.read(100)
    assert chunks.read(100) == b""


@pytest.mark.parametrize("path", ["/%00", "/a%00b.js", "/%ff%fe", "/%0d%0aX: y", "/_cloud/%00", "/v1/interactions/%00"])
def test_a_control_that_was_percent_encoded_is_no_server_error(front: FrontUnderTest, path: str) -> None:
    assert sent(front, request(b"GET %s HTTP/1.1" % path.encode().replace(b" ", b"%20")))[0] in (400, 404)
