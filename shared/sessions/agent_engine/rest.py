"""Calls of the session service: each within a deadline, repeated where repeating is safe, with fresh credentials."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import httpx

from shared.clock import Clock
from shared.errors import Transient
from shared.gateway.retry_after import retry_after_seconds
from shared.gateway.transport import Cut, Exchange, Request, TransportError, exchange
from shared.sessions.agent_engine.place import Place, Token
from shared.sessions.errors import OperationTimeout, StoreClosed, StoreRefused

CALL_SECONDS = 15.0
TRIES = 4
TOTAL_SECONDS = 40.0
"""No further try of one call after this."""
FIRST_POLL_SECONDS = 0.1
_PAUSE_SECONDS = 10.0
_ANSWER_BYTES, _ERROR_BYTES = 64_000_000, 100_000
_HTTP_OF_RPC = {3: 400, 5: 404, 6: 409, 7: 403, 8: 429, 9: 400, 10: 409, 13: 500, 14: 503, 16: 401}
"""What an operation's error code is over HTTP."""
_NOT_APPLIED = frozenset({429})


class Lost(Transient):
    """Nobody knows whether a call that must not be repeated blindly was applied."""


@dataclass(frozen=True)
class _Failed:
    """One try that gave no answer. `certain`: it was surely not applied."""

    why: str
    certain: bool
    wait_seconds: float = 0.0


class Service:
    """The service at one place. `cut` ends every call under way."""

    def __init__(
        self, place: Place, token: Token, clock: Clock, randomness: random.Random, transport: httpx.Client
    ) -> None:
        self.place, self.clock, self.cut = place, clock, Cut()
        self._token, self._random, self._client = token, randomness, transport

    def close(self) -> None:
        """End what is under way. Idempotent."""
        self.cut.cut("closed")
        self._client.close()

    def get(self, path: str, **query: str) -> dict[str, Any]:
        """`path` lies below the parent. Raises StoreRefused (404 among them), Transient."""
        return self._called("GET", self._url(path, query), None, repeatable=True)

    def post(self, path: str, body: Mapping[str, Any], *, repeatable: bool, **query: str) -> dict[str, Any]:
        """Raises Lost where it is not `repeatable` and may have been applied."""
        return self._called("POST", self._url(path, query), body, repeatable=repeatable)

    def delete(self, path: str) -> dict[str, Any]:
        return self._called("DELETE", self._url(path, {}), None, repeatable=True)

    def finished(self, operation: Mapping[str, Any]) -> None:
        """Wait for a long-running operation. Raises OperationTimeout, StoreRefused for one that failed."""
        begun, name = self.clock.now(), str(operation.get("name") or "")
        pause = FIRST_POLL_SECONDS
        while operation.get("done") is not True:
            if (self.clock.now() - begun).total_seconds() >= self.place.operation_seconds:
                seconds = self.place.operation_seconds
                raise OperationTimeout(f"The operation {name} was not done after {seconds:g} s: look at it, try again.")
            self.clock.sleep(min(pause, self.place.poll_seconds))
            pause *= 2
            operation = self._polled(name) or operation
        error = operation.get("error")
        if isinstance(error, dict):
            code = error.get("code")
            raise StoreRefused(
                f"The operation {name} failed: {str(error.get('message'))[:500]}",
                _HTTP_OF_RPC.get(code if isinstance(code, int) else 0, 400),
            )

    def _polled(self, name: str) -> dict[str, Any] | None:
        """The operation; None while the service does not know it yet."""
        url = f"{self.place.root}/{self.place.api}/{quote(name, safe='/')}"
        try:
            return self._called("GET", url, None, repeatable=True)
        except StoreRefused as error:
            if error.http_status != 404:
                raise
            return None

    def _url(self, path: str, query: Mapping[str, str]) -> str:
        base = f"{self.place.root}/{self.place.api}/{quote(self.place.parent, safe='/')}{path}"
        return f"{base}?{urlencode(query)}" if query else base

    def _called(self, method: str, url: str, body: Mapping[str, Any] | None, *, repeatable: bool) -> dict[str, Any]:
        content = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        begun, renewed, failed = self.clock.now(), False, ""
        for attempt in range(TRIES):
            answer = self._once(method, url, content)
            if isinstance(answer, dict):
                return answer
            if isinstance(answer, StoreRefused):
                if answer.http_status != 401 or renewed:
                    raise answer
                self._token.renew()
                renewed, failed = True, answer.message
                continue
            failed = answer.why
            if not (repeatable or answer.certain):
                raise Lost(f"It is not known whether the session service has done it: {failed}")
            if attempt == TRIES - 1 or (self.clock.now() - begun).total_seconds() > TOTAL_SECONDS:
                break
            self._pause(attempt, answer.wait_seconds)
        raise Transient(f"The session service gives no answer: {failed}", retry_after_seconds=5.0)

    def _pause(self, attempt: int, wished: float) -> None:
        own = 0.25 * 2**attempt * self._random.uniform(0.5, 1.5)
        self.clock.sleep(min(_PAUSE_SECONDS, max(own, wished)))

    def _once(self, method: str, url: str, content: bytes) -> dict[str, Any] | StoreRefused | _Failed:
        headers = {"Authorization": f"Bearer {self._token()}", "Content-Type": "application/json"}
        try:
            with exchange(
                self._client, Request(method, url, headers, content), deadline_seconds=CALL_SECONDS, cut=self.cut
            ) as answer:
                if 200 <= answer.status < 300:
                    return _object(answer)
                return _failure(answer)
        except TransportError as error:
            if self.cut.reason:
                raise StoreClosed("The session store was closed while it worked.") from error
            return _Failed(error.message, certain=not error.sent)


def _object(answer: Exchange) -> dict[str, Any] | _Failed:
    try:
        value = json.loads(answer.body(_ANSWER_BYTES) or b"{}")
    except (ValueError, RecursionError):
        return _Failed("its answer is no JSON.", certain=False)
    return value if isinstance(value, dict) else _Failed("its answer is no JSON object.", certain=False)


def _failure(answer: Exchange) -> StoreRefused | _Failed:
    said = _said(answer)
    if answer.status in (408, 429) or answer.status >= 500:
        header = answer.headers.get("retry-after")
        wished = retry_after_seconds(header) if header else 0.0
        return _Failed(f"it answered {answer.status}{said}", answer.status in _NOT_APPLIED, wished)
    return StoreRefused(f"The session service answered {answer.status}{said}", answer.status)


def _said(answer: Exchange) -> str:
    try:
        error = json.loads(answer.body(_ERROR_BYTES)).get("error")
        return f": {str(error['message'])[:500]}"
    except (TransportError, ValueError, RecursionError, AttributeError, KeyError, TypeError):
        return "."
