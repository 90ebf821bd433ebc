"""One OpenAI-compatible server: its addresses, its requests, and what it refuses with in our terms."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from shared.errors import ModelOutputError
from shared.gateway.transport import Cut, Exchange, Request, TransportError, exchange
from shared.llm.failures import Refusal, error_of

MOST_BYTES = 32_000_000
_ERROR_BYTES = 100_000


@dataclass(frozen=True)
class Service:
    """`base_url` is what the endpoints hang below, such as http://127.0.0.1:11434/v1."""

    client: httpx.Client
    base_url: str
    api_key: str = field(default="", repr=False)

    @property
    def root(self) -> str:
        """Where the server's own endpoints are, beside those it has after OpenAI's."""
        return self.base_url.rstrip("/").removesuffix("/v1")

    @contextmanager
    def post(self, path: str, body: Mapping[str, Any], model: str, cut: Cut, seconds: float) -> Iterator[Exchange]:
        """The answer to a request below `base_url`. Raises what the service's refusal means, and TransportError."""
        content = json.dumps(body, ensure_ascii=False).encode()
        request = Request("POST", self.base_url.rstrip("/") + path, self._headers(), content)
        with exchange(self.client, request, deadline_seconds=seconds, cut=cut) as answer:
            if answer.status >= 300:
                raise error_of(Refusal(answer.status, message_of(_body(answer)), answer.headers), model)
            yield answer

    def ask(self, method: str, url: str, cut: Cut, seconds: float, body: Mapping[str, Any] | None = None) -> Any:
        """The JSON of an answer, None when the server has no such endpoint or speaks otherwise.

        Raises TransportError when there is no answer.
        """
        content = b"" if body is None else json.dumps(body).encode()
        with exchange(
            self.client, Request(method, url, self._headers(), content), deadline_seconds=seconds, cut=cut
        ) as answer:
            return _json(answer.body(MOST_BYTES)) if answer.status == 200 else None

    def _headers(self) -> dict[str, str]:
        key = self.api_key.strip()
        return {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})


def parsed(body: bytes, model: str) -> dict[str, Any]:
    """The JSON object of an answer. Raises ModelOutputError."""
    value = _json(body)
    if not isinstance(value, dict):
        raise ModelOutputError(f"The answer of {model} is no JSON object.")
    return value


def message_of(value: Any) -> str:
    """What an error answer says, in any of the forms seen."""
    if isinstance(value, dict):
        detail = value.get("error", value)
        if isinstance(detail, dict):
            detail = detail.get("message") or detail.get("detail") or ""
        return str(detail)
    return str(value or "")


def _body(answer: Exchange) -> Any:
    try:
        body = answer.body(_ERROR_BYTES)
    except TransportError:
        return ""
    return _json(body) or body.decode(errors="replace")


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
