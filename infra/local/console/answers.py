"""JSON in and JSON out, in the same form at every address of the console."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

import grpc
from flask import Blueprint, Response, request

from infra.local.rpc import RpcError

T = TypeVar("T")
STATUSES = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.FAILED_PRECONDITION: 409,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.UNIMPLEMENTED: 501,
    grpc.StatusCode.UNAVAILABLE: 503,
}


class Refusal(Exception):
    """A request that is refused with an HTTP status, a sentence and, where one is to blame, a field."""

    def __init__(self, status: int, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.field = status, message, field


def say(content: Any, status: int = 200) -> Response:
    """The content as JSON; a reader that shows its entity tag again gets 304 while nothing has changed."""
    answer = Response(json.dumps(content, ensure_ascii=False), status, content_type="application/json")
    if status == 200 and request.method == "GET":
        answer.add_etag()
        answer.make_conditional(request)
    return answer


def install(pages: Blueprint) -> None:
    """Let refusals of the console and of the services' own become JSON answers."""

    @pages.errorhandler(Refusal)
    def refuse(error: Refusal) -> Response:
        return _error(error.status, error.message, error.field)

    @pages.errorhandler(RpcError)
    def refuse_rpc(error: RpcError) -> Response:
        return _error(STATUSES.get(error.code, 500), error.message, None)


def parse_json(text: str | bytes, field: str | None = None) -> Any:
    """JSON, strictly: no NaN, no name twice in one object. Raises Refusal 400 with line and column."""
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        message = f"This is not JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        raise Refusal(400, message, field) from error
    except (ValueError, RecursionError) as error:
        raise Refusal(400, f"This cannot be taken: {error}.", field) from error


def body() -> dict[str, Any]:
    """The request's JSON object. Raises Refusal 400."""
    content = parse_json(request.get_data())
    if not isinstance(content, dict):
        raise Refusal(400, "Send a JSON object.")
    return content


def wanted(content: dict[str, Any], name: str, kind: type[T], default: T | None = None) -> T:
    """A member of a request. Raises Refusal 400 when it is of another kind, or missing and without default."""
    value = content.get(name, default)
    if not isinstance(value, kind):
        raise Refusal(400, f"{name} must be given as {kind.__name__}, not {json.dumps(value)[:80]}.", name)
    return value


def number(name: str, default: int, largest: int) -> int:
    """A whole number from 1 to `largest` in the query string. Raises Refusal 400."""
    text = request.args.get(name, str(default))
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= largest):
        raise Refusal(400, f"{name} must be a whole number from 1 to {largest}.", name)
    return int(text)


def stamp(moment: datetime | None) -> str | None:
    """A time as text, RFC 3339 in UTC."""
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")


def reader(pages: Blueprint, path: str, report: Callable[[], Any]) -> None:
    """GET `path` answers `report()`."""
    pages.add_url_rule(path, path.strip("/").replace("/", "_"), lambda: say(report()), methods=["GET"])


def _error(status: int, message: str, field: str | None) -> Response:
    blame = {"field": field} if field else {}
    return say({"error": {"code": status, "message": message, **blame}}, status)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the name {name!r} is there twice")
        found[name] = value
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
