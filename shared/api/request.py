"""Reading a request: its path, its body, its idempotency key. Everything is checked here, once."""

from __future__ import annotations

from typing import TypeVar
from urllib.parse import unquote, urlsplit

from flask import Request
from pydantic import BaseModel, ValidationError

from shared.api.refusals import TooLarge, UnsupportedMediaType
from shared.contracts.limits import IDEMPOTENCY_KEY_CHARACTERS, REQUEST_BYTES
from shared.errors import InputError
from shared.invalid import invalid

M = TypeVar("M", bound=BaseModel)


def path_segments(request: Request) -> tuple[str, ...]:
    """The path's segments, each decoded by itself, so that an encoded slash stays inside its id."""
    raw = request.environ.get("RAW_URI") or request.environ.get("REQUEST_URI")
    path = urlsplit(raw).path if raw and "://" in raw.partition("?")[0] else (raw or "").partition("?")[0]
    if not path:
        return tuple(request.path.removeprefix("/").split("/"))
    return tuple(unquote(segment, errors="replace") for segment in path.removeprefix("/").split("/"))


def body(request: Request, model: type[M]) -> M:
    """The JSON body as a model. Raises UnsupportedMediaType, TooLarge, or InputError that names the field."""
    if request.mimetype != "application/json":
        raise UnsupportedMediaType("Send a JSON body with Content-Type: application/json.", field="Content-Type")
    try:
        return model.model_validate_json(read(request, REQUEST_BYTES))
    except ValidationError as error:
        raise invalid(error) from error


def read(request: Request, most: int) -> bytes:
    """The body. Raises TooLarge for one of more than `most` bytes, of which no more is read."""
    if (request.content_length or 0) <= most:
        raw = request.stream.read(most + 1)
        if len(raw) <= most:
            return raw
    raise TooLarge(f"The body is larger than {most} bytes.")


def idempotency_key(request: Request) -> str | None:
    """The header Idempotency-Key. Raises InputError unless it is 1 to 200 printable characters."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not 1 <= len(key) <= IDEMPOTENCY_KEY_CHARACTERS or not key.isprintable() or key.isspace():
        raise InputError(
            f"Idempotency-Key: give 1 to {IDEMPOTENCY_KEY_CHARACTERS} printable characters", field="Idempotency-Key"
        )
    return key


def wants_json(request: Request) -> bool:
    """Whether the client would rather have JSON than an event stream."""
    best = request.accept_mimetypes.best_match(["text/event-stream", "application/json"], default="text/event-stream")
    return best == "application/json"
