"""One request to a provider and its JSON, with refusals in our terms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx

from shared.gateway.retry_after import retry_after_seconds
from shared.gateway.search.port import Hit, SearchFailed, SearchUnset
from shared.gateway.transport import Cut, Request, exchange
from shared.gateway.web.urls import shown
from shared.printable import printable

_SECONDS = 25.0
_BYTES = 4_000_000
_TITLE, _PASSAGE = 300, 1_200


def asked(client: httpx.Client, request: Request, provider: str, cut: Cut) -> Mapping[str, Any]:
    """The JSON object that was answered. Raises SearchFailed, TransportError, and SearchUnset for a key not taken."""
    with exchange(client, request, deadline_seconds=_SECONDS, cut=cut) as answer:
        status, body = answer.status, answer.body(_BYTES)
        again = retry_after_seconds(answer.headers.get("retry-after"))
    if status in (401, 403):
        raise SearchUnset(f"{provider} does not take the key or does not allow the format ({status}).")
    if not 200 <= status < 300:
        raise SearchFailed(f"{provider} answered with status {status}.", retry_after_seconds=again)
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise SearchFailed(f"What {provider} answered is no JSON.") from error
    if not isinstance(value, dict):
        raise SearchFailed(f"What {provider} answered is no JSON object.")
    return value


def hit(title: Any, url: Any, passage: Any = "", published: Any = "") -> Hit | None:
    """A hit of what a provider gave, None without an address that could be read; markup is the caller's to take out."""
    address = shown(url) if isinstance(url, str) else ""
    if not address:
        return None
    return Hit(_line(title, _TITLE) or address, address, _line(passage, _PASSAGE), _line(published, 40))


def _line(value: Any, longest: int) -> str:
    return printable(" ".join(value.split()))[:longest] if isinstance(value, str) else ""
