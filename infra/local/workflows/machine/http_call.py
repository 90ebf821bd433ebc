"""http.*: a call's arguments as a request, and a response as a value or an HttpError."""

from __future__ import annotations

import urllib.parse
from collections.abc import Mapping

from infra.local.workflows.errors import Raised, failure, limit_reached
from infra.local.workflows.limits import HTTP_DEFAULT_TIMEOUT_SECONDS, HTTP_TIMEOUT_SECONDS, RESPONSE_BYTES
from infra.local.workflows.stdlib.functions import mapping, number, string
from infra.local.workflows.values import Value, from_json, to_json

USER_AGENT = "GoogleCloudWorkflows; (+https://cloud.google.com/workflows/docs)"
_INTERNAL_SUFFIXES = (".googleapis.com", ".run.app", ".cloudfunctions.net", ".appspot.com", ".cloud.goog")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def build(function: str, bound: Mapping[str, Value]) -> dict[str, Value]:
    """An http.* call's request: method, url, headers, body, timeout, auth. Raises TypeError and ValueError maps."""
    method = string(function, bound["method"]).upper() if "method" in bound else function.removeprefix("http.").upper()
    if method not in _METHODS:
        raise failure("ValueError", f"{function}: unknown method {method!r}")
    headers = _headers(function, bound["headers"])
    body = _body(function, bound["body"], headers)
    headers.setdefault("User-Agent", USER_AGENT)
    return {
        "method": method,
        "url": _url(function, bound["url"], bound["query"]),
        "headers": headers,
        "body": body,
        "timeout": _timeout(function, bound["timeout"]),
        "auth": _auth(function, bound["auth"]),
    }


def is_internal(url: str) -> bool:
    """Whether a step that calls `url` is billed as internal; locally the functions live on loopback."""
    host = urllib.parse.urlsplit(url).hostname or ""
    return host in _LOOPBACK or host.endswith(_INTERNAL_SUFFIXES)


def _url(function: str, url: Value, query: Value) -> str:
    text = string(function, url)
    parts = urllib.parse.urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise failure("ValueError", f"{function}: {text!r} is not an http or https address")
    if query is None:
        return text
    pairs = [(name, one) for name, value in mapping(function, query).items() for one in _query_values(value)]
    extra = urllib.parse.urlencode(pairs)
    joined = "&".join(part for part in (parts.query, extra) if part)
    return urllib.parse.urlunsplit(parts._replace(query=joined))


def _query_values(value: Value) -> list[str]:
    return [_text(one) for one in value] if isinstance(value, list) else [_text(value)]


def _text(value: Value) -> str:
    return value if isinstance(value, str) else to_json(value)


def _headers(function: str, headers: Value) -> dict[str, str]:
    if headers is None:
        return {}
    given = {name: _text(value) for name, value in mapping(function, headers).items() if value is not None}
    for name, value in given.items():
        if any(ord(character) < 32 or character == "\x7f" for character in name + value):
            raise failure("ValueError", f"{function}: the header '{name}' has a control character")
        if not (name + value).isascii():
            raise failure("ValueError", f"{function}: the header '{name}' has characters beyond ASCII")
    return given


def _body(function: str, body: Value, headers: dict[str, str]) -> bytes:
    """The body's bytes; sets Content-Type where the workflow did not."""
    declared = next((value for name, value in headers.items() if name.lower() == "content-type"), None)
    if body is None:
        return b""
    if isinstance(body, bytes):
        return body
    if isinstance(body, str):
        if declared is None:
            headers["Content-Type"] = "text/plain; charset=utf-8"
        return body.encode("utf-8", "replace")
    if isinstance(body, dict) and (declared or "").startswith("application/x-www-form-urlencoded"):
        pairs = [(name, one) for name, value in body.items() for one in _query_values(value)]
        return urllib.parse.urlencode(pairs).encode()
    if declared is None:
        headers["Content-Type"] = "application/json; charset=utf-8"
    return to_json(body).encode("utf-8", "replace")


def _timeout(function: str, timeout: Value) -> float:
    if timeout is None:
        return float(HTTP_DEFAULT_TIMEOUT_SECONDS)
    seconds = float(number(function, timeout))
    if not 0 < seconds <= HTTP_TIMEOUT_SECONDS:
        raise failure("ValueError", f"{function}: timeout must be between 0 and {HTTP_TIMEOUT_SECONDS} seconds")
    return seconds


def _auth(function: str, auth: Value) -> dict[str, Value] | None:
    if auth is None:
        return None
    given = mapping(function, auth)
    if given.get("type") not in ("OIDC", "OAuth2"):
        raise failure("ValueError", f"{function}: the auth type is 'OIDC' or 'OAuth2', not {given.get('type')!r}")
    return given


def response(status: int, headers: Mapping[str, str], body: bytes) -> Value:
    """What the call's `result` becomes. Raises the HttpError map for a status that is no success."""
    if len(body) > RESPONSE_BYTES:
        raise limit_reached(f"an HTTP response may have {RESPONSE_BYTES // 1024} KB")
    lower = {name.lower(): value for name, value in headers.items()}
    content = _content(lower.get("content-type", ""), body)
    if 200 <= status < 300:
        return {"body": content, "code": status, "headers": lower}
    raise Raised(
        {
            "message": f"HTTP server responded with error code {status}",
            "code": status,
            "headers": lower,
            "body": content,
            "tags": ["HttpError"],
        }
    )


def _content(content_type: str, body: bytes) -> Value:
    kind = content_type.split(";")[0].strip().lower()
    if not body and not kind.startswith("text/"):
        return None
    if kind == "application/json" or kind.endswith("+json"):
        try:
            return from_json(body)
        except (ValueError, RecursionError):
            return body.decode("utf-8", "replace")
    if kind.startswith("text/"):
        return body.decode("utf-8", "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body


def transport_error(error: Exception) -> Raised:
    """The error map for a request that got no answer."""
    tag = "ConnectionError"
    if isinstance(error, TimeoutError):
        tag = "TimeoutError"
    elif isinstance(error, ConnectionRefusedError) or type(error).__name__ == "ConnectionFailedError":
        tag = "ConnectionFailedError"
    return failure(tag, str(error) or tag)
