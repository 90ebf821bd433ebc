"""The Interactions API over plain HTTP: create, get, cancel. Each call is one request; nothing is retried here.

Google's SDK sends a create up to five times on 5xx and has no idempotency key, so it could start, and bill, a second
run. Shapes as read in google-genai 3.6.1 and observed in the field (November 2026).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

from shared.errors import Transient
from shared.gateway import sse
from shared.gateway.backends import Backend
from shared.gateway.retry_after import retry_after_seconds
from shared.gateway.transport import Exchange, Request, TransportError, exchange
from shared.printable import printable

_GET_SECONDS = 30.0
_CANCEL_SECONDS = 15.0
_GET_BYTES = 32_000_000
_CREATE_BYTES = 1_000_000
_ERROR_BYTES = 100_000


class InteractionError(Transient):
    """A call that gave no usable answer.

    `reason` is http_{status}, timeout, connection, malformed, too_large or credentials; `http_status` is 0 without an
    answer. `sent` tells whether the service may have acted on it: False for what never went out, and for a refusal.
    """

    def __init__(
        self, reason: str, message: str, *, sent: bool, http_status: int = 0, retry_after_seconds: float = 5.0
    ) -> None:
        super().__init__(message, retry_after_seconds=retry_after_seconds, reason=reason)
        self.reason, self.sent, self.http_status = reason, sent, http_status

    @property
    def permanent(self) -> bool:
        """Whether the same request would be refused again: a 4xx other than 408, 409 and 429."""
        return 400 <= self.http_status < 500 and self.http_status not in (408, 409, 429)


@dataclass(frozen=True)
class Interaction:
    """A run as the service shows it; what has not the expected shape is left out, `status` is "" when there is none."""

    id: str
    status: str
    steps: Sequence[Mapping[str, Any]] = ()
    errors: Sequence[tuple[str, str]] = ()
    """(code, message) of each entry of errors[]."""
    usage: Mapping[str, Any] | None = None


class Interactions:
    """Calls of one backend (Gemini API or Vertex)."""

    def __init__(self, client: httpx.Client, backend: Backend) -> None:
        self._client, self._backend = client, backend

    def create(self, body: Mapping[str, Any], *, deadline_seconds: float) -> str:
        """Start a background run and return its id, read off the first event that carries one; the rest is not read.

        Sent once, and costs money once. Raises InteractionError.
        """
        content = json.dumps({**body, "background": True, "store": True, "stream": True}).encode()
        headers = {"Accept": "text/event-stream"}
        with self._call("POST", "", content, headers, deadline_seconds) as answer:
            chunks = answer.chunks(_CREATE_BYTES)
            if "json" in answer.headers.get("content-type", ""):
                found = _id_of(_json(b"".join(chunks)))
            else:
                found = next((name for name in map(_id_of, sse.frames(chunks)) if name), "")
        if not found:
            raise InteractionError("malformed", "The service accepted the run and gave no id for it.", sent=True)
        return found

    def get(self, interaction_id: str) -> Interaction:
        """The run's status and steps so far. Raises InteractionError."""
        with self._call("GET", f"/{quote(interaction_id, safe='')}?stream=false", b"", {}, _GET_SECONDS) as answer:
            value = _json(answer.body(_GET_BYTES))
        return _interaction(interaction_id, value)

    def cancel(self, interaction_id: str) -> None:
        """Ask the service to stop a run; a run that has ended or is unknown needs none. Raises InteractionError."""
        try:
            with self._call("POST", f"/{quote(interaction_id, safe='')}/cancel", b"{}", {}, _CANCEL_SECONDS):
                return
        except InteractionError as error:
            if not error.permanent or error.http_status in (401, 403):
                raise

    @contextmanager
    def _call(
        self, method: str, path: str, content: bytes, headers: Mapping[str, str], deadline_seconds: float
    ) -> Iterator[Exchange]:
        every = {"Content-Type": "application/json", **headers, **self._credentials()}
        request = Request(method, self._backend.url + path, every, content)
        try:
            with exchange(self._client, request, deadline_seconds=deadline_seconds) as answer:
                if not 200 <= answer.status < 300:
                    raise _refusal(answer)
                yield answer
        except TransportError as error:
            reason = "timeout" if error.reason in ("deadline", "timeout") else error.reason
            raise InteractionError(reason, error.message, sent=error.sent) from error

    def _credentials(self) -> Mapping[str, str]:
        try:
            return self._backend.headers()
        except Transient as error:
            raise InteractionError("credentials", error.message, sent=False) from error


def _refusal(answer: Exchange) -> InteractionError:
    message = f"The service answered {answer.status}"
    try:
        detail = _json(answer.body(_ERROR_BYTES)).get("error")
    except (TransportError, InteractionError):
        detail = None
    if isinstance(detail, dict) and detail.get("message"):
        message += f": {str(detail['message'])[:500]}"
    # 408, 409 and 5xx may come after the run was accepted
    sent = answer.status in (408, 409) or answer.status >= 500
    return InteractionError(
        f"http_{answer.status}",
        message,
        sent=sent,
        http_status=answer.status,
        retry_after_seconds=retry_after_seconds(answer.headers.get("retry-after")),
    )


def _json(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise InteractionError("malformed", "The service's answer is no JSON.", sent=True) from error
    if not isinstance(value, dict):
        raise InteractionError("malformed", "The service's answer is no JSON object.", sent=True)
    return value


def _id_of(event: Mapping[str, Any]) -> str:
    """The interaction's id in an event of any of the forms seen, "" when it has none."""
    inner = event.get("interaction")
    candidates = [inner.get("id") if isinstance(inner, dict) else None, event.get("interaction_id"), event.get("id")]
    return next((name for name in candidates if isinstance(name, str) and name and name.isprintable()), "")


def _interaction(interaction_id: str, value: Mapping[str, Any]) -> Interaction:
    status, steps, usage = value.get("status"), value.get("steps"), value.get("usage")
    errors = value.get("errors")
    return Interaction(
        id=interaction_id,
        status=printable(status) if isinstance(status, str) else "",
        steps=tuple(step for step in steps if isinstance(step, dict)) if isinstance(steps, list) else (),
        errors=tuple(_errors(errors if isinstance(errors, list) else [])),
        usage=usage if isinstance(usage, dict) else None,
    )


def _errors(errors: Sequence[Any]) -> Iterator[tuple[str, str]]:
    for error in errors:
        if isinstance(error, dict):
            yield printable(str(error.get("code", ""))[:100]), printable(str(error.get("message", ""))[:1000])
        elif error:
            yield "", printable(str(error)[:1000])
