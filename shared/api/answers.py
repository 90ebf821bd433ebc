"""Answers: models as JSON, errors as the one error body, streams as Server-Sent Events."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator

from flask import Response
from pydantic import BaseModel

from shared.api.security import HEADERS
from shared.errors import MemexError, Transient, Unauthorized


def model(answer: BaseModel, status: int = 200) -> Response:
    """A model of the contracts as JSON."""
    return Response(answer.model_dump_json(), status, HEADERS, content_type="application/json")


def document(value: object) -> Response:
    """Plain JSON, such as the OpenAPI document."""
    return Response(json.dumps(value, ensure_ascii=False), 200, HEADERS, content_type="application/json")


def text(content: str, mimetype: str) -> Response:
    """Text of a kind of its own, such as text/markdown."""
    return Response(content, 200, HEADERS, content_type=f"{mimetype}; charset=utf-8")


def octets(data: bytes) -> Response:
    """Bytes of whatever kind, to be saved and never shown."""
    return Response(data, 200, HEADERS, content_type="application/octet-stream")


def empty() -> Response:
    return Response(status=204, headers=HEADERS)


def error(failure: MemexError) -> Response:
    """The error body, with Retry-After for what may be tried again and the challenge that a 401 must carry."""
    response = model(failure.answer(), failure.status)
    if isinstance(failure, Transient):
        response.headers["Retry-After"] = str(max(1, math.ceil(failure.retry_after_seconds)))
    if isinstance(failure, Unauthorized):
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def event_stream(frames: Iterator[str], on_close: Callable[[], None]) -> Response:
    """A stream of frames; `on_close` is called once, whether or not a single frame was sent."""
    headers = {**HEADERS, "X-Accel-Buffering": "no"}
    response = Response(frames, 200, headers, content_type="text/event-stream; charset=utf-8")
    response.call_on_close(on_close)
    return response
