"""The default HTTP: real requests over loopback, past any proxy of the environment."""

import threading
from collections.abc import Iterator
from http.server import HTTPServer

import pytest

from infra.local.workflows.ports import ConnectionFailedError, HttpRequest, send
from tests.support.loopback import QuietHandler, serving


class Echo(QuietHandler):
    """Answers with what it got; /hang waits, /break hangs up."""

    released = threading.Event()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/hang":
            self.released.wait(10)
        if self.path == "/break":
            self.connection.close()
            return
        self.send_response(201)
        self.send_header("X-Agent", self.headers["User-Agent"])
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def address() -> Iterator[str]:
    Echo.released.clear()
    with serving(HTTPServer(("127.0.0.1", 0), Echo)) as url:
        yield url
        Echo.released.set()


def request(url: str, timeout: float = 5) -> HttpRequest:
    return HttpRequest("POST", url, {"User-Agent": "me"}, b"\xff", timeout)


def test_a_request_is_sent_as_it_is(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    answer = send(request(f"{address}/x"))
    assert (answer.status, answer.body, answer.headers["x-agent"]) == (201, b"\xff", "me")


def test_nobody_there_is_a_failed_connection() -> None:
    with pytest.raises(ConnectionFailedError):
        send(request("http://127.0.0.1:1/"))


def test_a_connection_that_breaks_is_a_connection_error(address: str) -> None:
    with pytest.raises(ConnectionError) as caught:
        send(request(f"{address}/break"))
    assert not isinstance(caught.value, ConnectionFailedError)


def test_no_answer_in_time_is_a_timeout(address: str) -> None:
    with pytest.raises(TimeoutError):
        send(request(f"{address}/hang", timeout=0.05))
