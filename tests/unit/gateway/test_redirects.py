from __future__ import annotations

import threading
import time
from urllib.parse import urlsplit

import pytest

from shared.gateway.redirects import Redirects
from shared.gateway.transport import build_client
from tests.unit.gateway.servers import answering, raw_server

PATH = "/grounding-api-redirect/"


def of(base: str) -> Redirects:
    return Redirects(build_client(), [urlsplit(base).netloc])


def to(location: str, status: str = "302 Found") -> object:
    return answering(status, headers=f"Location: {location}\r\n")


def test_twelve_links_eleven_of_which_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.gateway.redirects._LINK_SECONDS", 0.5)
    stop = threading.Event()

    def talk(connection: object, request: bytes) -> None:
        token = request.split(b" ")[1].rpartition(b"/")[2].decode()
        if token == "12":
            stop.wait(20)
            return
        answering("302 Found", headers=f"Location: https://site{token}.example/page\r\n")(connection, request)  # type: ignore[arg-type]

    with raw_server(talk) as (base, requests):
        links = [f"{base}{PATH}{n}" for n in range(1, 13)]
        began = time.monotonic()
        found = of(base).resolve([*links, links[0]])
        assert time.monotonic() - began < 5
        stop.set()
    assert found == {link: f"https://site{n}.example/page" for n, link in enumerate(links[:11], 1)}
    assert len(requests) == 12


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("https://a.example/x?y=1", "https://a.example/x?y=1"),
        ("javascript:alert(1)", None),
        ("file:///etc/passwd", None),
        ("data:text/html,x", None),
        ("https://user@evil.example/", None),
        ("https://a.example/ b", None),
        ("http://[::1", None),
        ("https://a.example/" + "x" * 5000, None),
        ("", None),
    ],
)
def test_only_a_sound_web_address_is_taken_from_the_header(location: str, target: str | None) -> None:
    with raw_server(to(location)) as (base, _):  # type: ignore[arg-type]
        assert of(base).resolve([f"{base}{PATH}t"]).get(f"{base}{PATH}t") == target


@pytest.mark.parametrize("status", ["200 OK", "404 Not Found", "500 X"])
def test_a_link_that_does_not_redirect_stays_unresolved(status: str) -> None:
    with raw_server(answering(status)) as (base, _):
        assert of(base).resolve([f"{base}{PATH}t"]) == {}


def test_a_host_that_takes_no_head_is_asked_with_get_and_its_body_is_not_read() -> None:
    def talk(connection: object, request: bytes) -> None:
        status = "405 X" if request.startswith(b"HEAD") else "302 Found"
        answering(status, headers="Location: https://a.example/\r\n")(connection, request)  # type: ignore[arg-type]

    with raw_server(talk) as (base, requests):
        assert list(of(base).resolve([f"{base}{PATH}t"]).values()) == ["https://a.example/"]
    assert [request[:4] for request in requests] == [b"HEAD", b"GET "]


def test_a_redirect_in_a_circle_is_left_after_a_few_hops() -> None:
    with raw_server(to(f"{PATH}again")) as (base, requests):  # type: ignore[arg-type]
        assert of(base).resolve([f"{base}{PATH}t"]) == {}
    assert len(requests) <= 3


def test_no_other_host_path_or_port_is_ever_asked() -> None:
    with raw_server(to("https://a.example/")) as (base, requests):  # type: ignore[arg-type]
        port = urlsplit(base).port
        guarded = Redirects(build_client(), ["redirects.example", f"127.0.0.1:{port}"])
        for url in (
            f"http://127.0.0.1{PATH}t",
            f"http://localhost:{port}{PATH}t",
            f"http://127.0.0.1:{port}/elsewhere",
            f"http://user@127.0.0.1:{port}{PATH}t",
            f"ftp://127.0.0.1:{port}{PATH}t",
            f"http://2130706433:{port}{PATH}t",
            f"http://redirects.example.evil{PATH}t",
            f"http://redirects.example:8080{PATH}t",
            "http://[::1",
            "not a link",
        ):
            assert not guarded.is_redirect(url)
            assert guarded.resolve([url]) == {}
    assert requests == []
    assert Redirects(build_client(), ["redirects.example"]).is_redirect(f"https://REDIRECTS.example{PATH}t")
