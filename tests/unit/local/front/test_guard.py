"""What is refused before anything looks at it."""

from __future__ import annotations

import socket

import pytest

from tests.unit.local.front.conftest import FrontUnderTest


@pytest.mark.parametrize("path", ["/", "/probe/echo", "/_cloud/health"])
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "[::1"])
def test_a_foreign_host_name_is_refused(front: FrontUnderTest, path: str, host: str) -> None:
    assert front.http.get(path, headers={"Host": host}).status_code in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "localhost:1234", "127.0.0.1:99", "[::1]:80", "LOCALHOST"])
def test_loopback_names_are_accepted(front: FrontUnderTest, host: str) -> None:
    assert front.http.get("/_cloud/health", headers={"Host": host}).status_code == 200


def test_a_page_of_another_origin_cannot_speak_to_the_services(front: FrontUnderTest) -> None:
    headers = {"Origin": "https://evil.example"}
    wish = {"kind": "outage", "service": "pubsub", "seconds": 9}
    assert front.http.post("/_cloud/faults", headers=headers, json=wish).status_code == 403
    assert not front.seams.faults.is_out("pubsub")


def test_functions_decide_on_origins_themselves(front: FrontUnderTest) -> None:
    assert front.http.get("/probe/echo", headers={"Origin": "https://friend.example"}).status_code == 200


def test_a_declared_body_over_32_mb_is_refused_unread(front: FrontUnderTest) -> None:
    host, port = front.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as client:
        client.sendall(b"POST /probe/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40000000\r\n\r\n")
        client.shutdown(socket.SHUT_WR)
        assert client.recv(100).startswith(b"HTTP/1.1 413 ")


def test_a_chunked_body_over_32_mb_is_refused(front: FrontUnderTest) -> None:
    pieces = (b"x" * 1_000_000 for _ in range(34))
    assert front.http.post("/probe/echo", content=pieces).status_code == 413
