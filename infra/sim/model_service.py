"""The HTTP transport to the research service: its own handlers in process, and what services do on bad days."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import httpx

from infra.sim import wsgi
from infra.sim.hub import Hub
from infra.sim.threads import Blocked, threads
from infra.sim.weather import Weather

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

WEEK = "604800"
USUAL_SECONDS = 0.5
Asked = Callable[[str], None]
Watch = Callable[[str, int, str], None]
"""(verb, HTTP status or 0, interaction id): what was asked, and what the service did, whoever learns of it."""


class ModelService(httpx.BaseTransport):
    """Requests of function instances to the research service."""

    def __init__(self, hub: Hub, weather: Weather, application: WSGIApplication, asked: Asked, watch: Watch) -> None:
        self._hub, self._weather = hub, weather
        self._application, self._asked, self._watch = application, asked, watch
        self._moments = random.Random(f"model/{weather.plan.seed}")
        self._blocked: Blocked = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        verb = _verb(request)
        self._asked(verb)
        self._hub.sleep(self._moments.expovariate(1 / USUAL_SECONDS))
        if self._weather.is_out("aiplatform", verb):
            return self._refused(verb, 503, {})
        if self._weather.happens("drop", verb):
            raise httpx.ConnectError("the request was lost")
        if chance := self._weather.happens("delay", verb):
            self._hub.sleep(chance.uniform(0.0, 20.0))
            self._check(request)
        if chance := self._weather.happens("service", verb, 2.0 if verb == "create" else 1.0):
            return self._bad_day(request, verb, chance)
        response = self._answered(request, verb)
        task = self._hub.current
        loses = task is not None and task.marks.pop("loses", False)
        if loses or self._weather.happens("lost", verb, 2.0 if verb == "create" else 1.0):
            raise httpx.ReadError("the connection broke")
        self._hub.pause()
        return response

    def _bad_day(self, request: httpx.Request, verb: str, chance: random.Random) -> httpx.Response:
        kind = chance.choice(("429", "500", "503", "week", "hang", "hang after", "malformed", "truncated"))
        if kind == "week":
            return self._refused(verb, chance.choice((429, 503)), {"retry-after": WEEK})
        if kind.isdigit():
            return self._refused(verb, int(kind), {"retry-after": "3"} if chance.random() < 0.5 else {})
        if kind == "hang":
            self._hang(request)
        response = self._answered(request, verb)
        if kind == "hang after":
            self._hang(request)
        if kind == "malformed":
            garbage = chance.choice((b"{", b"null", b"[]", b"<html>", b'{"status": 7, "steps": {}}'))
            return httpx.Response(200, headers={"content-type": "application/json"}, content=garbage)
        whole = response.read() if verb != "create" else next(iter(response.stream), b"")  # type: ignore[arg-type]
        response.close()
        cut = _Cut(whole[: chance.randrange(len(whole)) if whole else 0])
        return httpx.Response(response.status_code, headers={"content-type": "text/event-stream"}, stream=cut)

    def _refused(self, verb: str, status: int, headers: dict[str, str]) -> httpx.Response:
        self._watch(verb, 0, "")
        return httpx.Response(status, headers=headers, json={"error": {"message": "a bad day"}})

    def _answered(self, request: httpx.Request, verb: str) -> httpx.Response:
        """What the service itself answers; lazily where it streams."""
        content = request.read()
        headers = {name: value for name, value in request.headers.items() if name != "content-length"}
        target = request.url.raw_path.decode()
        answer = wsgi.call(self._application, wsgi.Request(request.method, target, headers, content))
        stream = _Stream(self, request, answer)
        first = next(stream.source, b"") if verb == "create" else b""
        stream.first = first
        identity = _between(first, b'"id": "', b'"') if verb == "create" else target.split("/interactions/")[-1]
        self._hub.note(f"model {verb} {answer.status}")
        self._watch(verb, answer.status, identity)
        return httpx.Response(answer.status, headers=dict(answer.headers), stream=stream)

    def _hang(self, request: httpx.Request) -> None:
        while True:
            self.block(request)
            self._check(request)

    def block(self, request: httpx.Request) -> None:
        """Wait until the exchange is cut."""
        task = self._hub.current
        assert task is not None
        self._blocked[task] = self._hub.waker()
        self._hub.wait()
        self._blocked.pop(task, None)

    def _check(self, request: httpx.Request) -> None:
        """Raises what a cut connection raises."""
        if request.extensions["trace"].__self__.reason:
            raise httpx.ReadError("the socket was shut down")

    def threading(self) -> Any:
        """What the product's transport is to find as `threading`: its deadlines wake who waits for an answer."""
        return threads(self._hub, self._blocked)


class _Stream(httpx.SyncByteStream):
    """An answer that is made while it is read."""

    def __init__(self, service: ModelService, request: httpx.Request, answer: wsgi.Answer) -> None:
        self._service, self._request, self._answer = service, request, answer
        self.source = iter(answer)
        self.first = b""

    def __iter__(self) -> Iterator[bytes]:
        if self.first:
            yield self.first
        for chunk in self.source:
            self._service._check(self._request)
            yield chunk

    def close(self) -> None:
        self._answer.close()


class _Cut(httpx.SyncByteStream):
    """The beginning of an answer, and then the connection breaks."""

    def __init__(self, beginning: bytes) -> None:
        self._beginning = beginning

    def __iter__(self) -> Iterator[bytes]:
        yield self._beginning
        raise httpx.ReadError("the connection broke")


def _verb(request: httpx.Request) -> str:
    if request.method == "POST":
        return "cancel" if request.url.path.endswith("/cancel") else "create"
    return "get"


def _between(text: bytes, before: bytes, after: bytes) -> str:
    return text.partition(before)[2].partition(after)[0].decode()
