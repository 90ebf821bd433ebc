"""Webhooks in a world: the service's way to the function, the function's way to the execution, and somebody who forges.

The service signs with one key for all worlds, and the product is given its public half: making keys takes real time.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from infra.local.faults import EventFault
from infra.sim import wsgi
from infra.sim.exchange import Disconnected
from infra.sim.front import Front
from infra.sim.hub import Hub
from infra.sim.weather import Weather
from shared.errors import Transient, Unauthorized

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

SHARE = 0.7
"""Of the worlds in which runs are begun with a webhook."""
_AGAIN_SECONDS = 5.0
_USUAL_SECONDS = 0.05
_KEY_ID = "simulated"


@cache
def _private(name: str) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


class ServiceKey:
    """The key that the service signs with."""

    key_id = _KEY_ID

    @property
    def private(self) -> rsa.RSAPrivateKey:
        return _private(_KEY_ID)

    def jwks(self) -> dict[str, list[dict[str, str]]]:
        """Nobody asks: the product is given the key."""
        return {"keys": []}


class KnownKeys:
    """The service's keys as the product finds them, on good days."""

    def __init__(self, weather: Weather) -> None:
        self._weather = weather

    def key(self, _url: str, kid: str) -> Any:
        if self._weather.happens("service", "keys"):
            raise Transient("The keys' address does not answer.")
        if kid != _KEY_ID:
            raise Unauthorized("There is no such key.")
        return _private(_KEY_ID).public_key()


class Deliveries:
    """What the service sends, and to whom it got: `sent` has the body of every webhook of its own by id."""

    def __init__(self, hub: Hub, weather: Weather, front: Front) -> None:
        self._hub, self._weather, self._front = hub, weather, front
        self.sent: dict[str, bytes] = {}
        self.last: tuple[Mapping[str, str], bytes] | None = None

    def post(self, _address: str, headers: Mapping[str, str], body: bytes) -> int:
        """The service's request; the status, or 0."""
        self.sent[headers["webhook-id"]] = body
        self.last = (dict(headers), body)
        return self.knock(headers, body)

    def knock(self, headers: Mapping[str, str], body: bytes) -> int:
        """A request to the public function by whomever."""
        self._hub.note(f"webhook {headers.get('webhook-id')}")
        try:
            exchange = self._front.open("webhook", wsgi.Request("POST", "/", dict(headers), body), _AGAIN_SECONDS)
            return exchange.head()
        except Disconnected:
            return 0

    def fault(self) -> EventFault:
        """What becomes of the next webhook before it is first sent."""
        if self._weather.happens("drop", "webhook", 10.0):
            return EventFault(drop=True)
        late = self._weather.happens("delay", "webhook", 5.0)
        again = self._weather.happens("duplicate", "webhook", 5.0)
        return EventFault(copies=2 if again else 0, delay_seconds=late.uniform(0.0, 400.0) if late else 0.0)


class CallbackService(httpx.BaseTransport):
    """The way of function instances to the callback endpoints of executions."""

    def __init__(self, hub: Hub, weather: Weather, application: WSGIApplication) -> None:
        self._hub, self._weather, self._application = hub, weather, application
        self._moments = random.Random(f"callbacks/{weather.plan.seed}")

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._hub.sleep(self._moments.expovariate(1 / _USUAL_SECONDS))
        if self._weather.is_out("workflows", "callback"):
            return httpx.Response(503)
        if self._weather.happens("drop", "callback"):
            raise httpx.ConnectError("the request was lost")
        if self._weather.happens("service", "callback"):
            return httpx.Response(500)
        headers = {name: value for name, value in request.headers.items() if name != "content-length"}
        asked = wsgi.Request(request.method, request.url.raw_path.decode(), headers, request.read())
        answer = wsgi.call(self._application, asked)
        body = b"".join(answer)
        answer.close()
        self._hub.note(f"callback {answer.status}")
        task = self._hub.current
        if (task is not None and task.marks.pop("loses", False)) or self._weather.happens("lost", "callback"):
            raise httpx.ReadError("the connection broke")
        self._hub.pause()
        return httpx.Response(answer.status, content=body)


class Forger:
    """Somebody who knows the address, has seen webhooks, and has keys of his own."""

    def __init__(self, deliveries: Deliveries, now: Callable[[], float], chance: random.Random) -> None:
        self._deliveries, self._now, self._chance = deliveries, now, chance
        self.statuses: list[tuple[str, int]] = []

    def forge(self, interaction: str) -> None:
        """One request of a kind that chance chooses. Only one that was seen may be taken again, without effect."""
        kind = self._chance.choice(("own key", "own secret", "no signature", "another body", "another id", "replay"))
        headers, body = self._made(kind, interaction)
        self.statuses.append((kind, self._deliveries.knock(headers, body)))

    def _made(self, kind: str, interaction: str) -> tuple[dict[str, str], bytes]:
        event = {"type": "interaction.completed", "version": "v1", "data": {"id": interaction}}
        body, stamp = json.dumps(event).encode(), str(int(self._now()))
        identity = f"forged_{self._chance.randrange(10**9)}"
        headers = {"webhook-id": identity, "webhook-timestamp": stamp, "webhook-signature": ""}
        seen = self._deliveries.last
        if kind == "own key":
            claims = {"iat": int(stamp), **event}
            token = jwt.encode(claims, _private("forger"), algorithm="RS256", headers={"kid": _KEY_ID})
            headers["webhook-signature"] = token
        elif kind == "own secret":
            mac = hmac.digest(b"a secret of his own", f"{identity}.{stamp}.".encode() + body, hashlib.sha256)
            headers["webhook-signature"] = f"v1,{base64.b64encode(mac).decode()}"
        elif seen is not None and kind == "another body":
            headers |= {"webhook-signature": seen[0]["webhook-signature"]}
            body = body.replace(interaction.encode(), b"v1_another")
        elif seen is not None and kind == "another id":
            return {**seen[0], "webhook-id": identity}, seen[1]
        elif seen is not None and kind == "replay":
            return dict(seen[0]), seen[1]
        return headers, body
