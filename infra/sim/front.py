"""What stands before the functions: it finds an instance, ends what takes too long, and loses things now and then."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping

from infra.local.eventarc.lane import DeliveryRequest, NotDelivered
from infra.local.front.invoker import account_address
from infra.local.workflows.ports import ConnectionFailedError, HttpRequest, HttpResponse
from infra.sim import wsgi
from infra.sim.exchange import Disconnected, Exchange, NoConnection
from infra.sim.hub import Hub
from infra.sim.instances import Pools
from infra.sim.weather import Weather
from shared.contracts.manifest import FunctionRow

_SOON = 5.0
_EVENT_LATER = 600.0


Seen = Callable[[str, str, int, bytes], None]
"""(function, path, status, what of the body nobody has taken yet)."""


class Tokens:
    """Identity tokens as a function sees them behind its front: verified, their signature removed."""

    def id_token(self, email: str, audience: str) -> str:
        claims = {"aud": audience, "email": email, "email_verified": True}
        return f"{_encoded({'alg': 'RS256'})}.{_encoded(claims)}.SIGNATURE_REMOVED_BY_GOOGLE"

    def access_token(self, email: str) -> str:
        return f"token-of-{email}"


class Front:
    """Calls to functions: by eventarc, by the scheduler, by workflows, by people."""

    def __init__(self, hub: Hub, weather: Weather, pools: Pools, rows: Mapping[str, FunctionRow], url: str) -> None:
        self._hub, self._weather, self._pools = hub, weather, pools
        self._rows, self._url = rows, url
        self.tokens = Tokens()
        self.project = "memex-local"
        self._seen: Seen = _unseen

    def open(self, name: str, request: wsgi.Request, again_within: float = 0.0) -> Exchange:
        """Send a request. With `again_within` it may arrive a second time, so many seconds later at most."""
        self._hub.pause()
        exchange, where = Exchange(self._hub), f"to {name}"
        if self._weather.is_out("functions", where):
            exchange.answer(503, b"the functions are away")
            return exchange
        if self._weather.happens("drop", where):
            exchange.fail(NoConnection("the request was lost"))
            return exchange
        if again_within and (chance := self._weather.happens("duplicate", where)):
            wait = chance.choice((0.0, chance.uniform(0.0, 1.0), chance.uniform(0.0, again_within)))
            self._hub.at(wait, lambda: self._serve(name, request, Exchange(self._hub)), f"duplicate {where}")
        if self._weather.happens("lost", where):
            unseen = Exchange(self._hub)
            unseen.then(lambda: exchange.fail(Disconnected("the answer was lost")))
            self._serve(name, request, unseen)
        else:
            self._serve(name, request, exchange)
        return exchange

    def watch(self, seen: Seen) -> None:
        """`seen` hears of every whole answer that an instance gave, whoever got it."""
        self._seen = seen

    def again(self, name: str, request: wsgi.Request, unattended: Exchange) -> None:
        """Have the same request served once more, beside the first."""
        self._serve(name, request, unattended)

    def _serve(self, name: str, request: wsgi.Request, exchange: Exchange) -> None:
        row = self._rows[name]
        exchange.then(lambda: self._seen(name, request.target, exchange.status, exchange.waiting))
        self._pools.take(row).serve(request, exchange)
        timer = self._hub.at(row.timeout_seconds, lambda: exchange.answer(504, b"out of time"), f"timeout of {name}")
        exchange.then(timer.cancel)

    def deliver(self, delivery: DeliveryRequest) -> int:
        """Eventarc's POST; the status. Raises NotDelivered."""
        headers = {**delivery.headers, "Authorization": self._token("eventarc", delivery.function)}
        request = wsgi.Request("POST", "/", headers, delivery.body)
        return self._status(delivery.function, request, _EVENT_LATER)

    def post(self, name: str, headers: Mapping[str, str], body: bytes) -> int:
        """The scheduler's POST; the status. Raises NotDelivered."""
        request = wsgi.Request("POST", "/", {**headers, "Authorization": self._token("scheduler", name)}, body)
        return self._status(name, request, _SOON)

    def _status(self, name: str, request: wsgi.Request, again_within: float) -> int:
        try:
            exchange = self.open(name, request, again_within)
            status = exchange.head()
            for _ in exchange.chunks():
                continue
        except Disconnected as error:
            raise NotDelivered(str(error)) from error
        return status

    def http(self, request: HttpRequest) -> HttpResponse:
        """A workflow's call of a function. Raises ConnectionError."""
        name, _, rest = request.url.removeprefix(self._url.replace("{name}", "")).partition("/")
        asked = wsgi.Request(request.method, f"/{rest}", dict(request.headers), request.body)
        try:
            exchange = self.open(name, asked, _SOON)
            status = exchange.head()
            body = b"".join(exchange.chunks())
        except NoConnection as error:
            raise ConnectionFailedError(str(error)) from error
        self._hub.note(f"workflow {rest} {status}")
        return HttpResponse(status, exchange.headers, body)

    def _token(self, account: str, function: str) -> str:
        audience = self._url.replace("{name}", function)
        return f"Bearer {self.tokens.id_token(account_address(account, self.project), audience)}"


def _unseen(_name: str, _target: str, _status: int, _body: bytes) -> None:
    """Nobody watches."""


def _encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()
