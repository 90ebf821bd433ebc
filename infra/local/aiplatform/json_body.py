"""The JSON of a request, as strict as Google's parser: UTF-8, no lone surrogates, no NaN, no endless nesting."""

from __future__ import annotations

import json
from typing import Any

from flask import g, request
from werkzeug.exceptions import ClientDisconnected


def json_body() -> Any:
    """The request's JSON value, None when it has none that could be stored and answered again."""
    if "json_body" not in g:
        g.json_body = _read()
    return g.json_body


def _read() -> Any:
    if not request.is_json:
        return None
    try:
        value = json.loads(request.get_data().decode(), parse_constant=_refuse)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError, ClientDisconnected):
        return None  # the last one is no fault: a caller was killed while it sent
    return value


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
