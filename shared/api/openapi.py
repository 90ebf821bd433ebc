"""The OpenAPI document, made of the route table and the models."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from shared.api.route import Route
from shared.api.table import OPENAPI, PREFIX, ROUTES
from shared.contracts.errors import ErrorAnswer
from shared.contracts.members import Role
from shared.identity.membership import WORKSPACE_HEADER

_JSON = "application/json"
_BEARER = "A static token of this memex, or an ID token of Google's or Firebase's sign-in where the memex takes those."
_ERRORS = {
    "400": "The request is malformed; details.field names the field.",
    "401": "The token is missing or not known.",
    "403": "The caller may not: details.role is the least role that may, where it is a question of roles.",
    "404": "There is no such thing.",
    "429": "Too many requests, or too many event streams are open: come again after Retry-After seconds.",
    "503": "Try again after Retry-After seconds.",
}
_BODY_ERRORS = {"413": "The body is too large.", "415": "The body is not application/json."}
_KEY_ERRORS = {"422": "The idempotency key was used otherwise."}
_TURN_ERRORS = {"409": "Another message is being answered; details.turn_id names its turn."}
_UPLOAD_ERRORS = {
    "413": "The file is too large for one request.",
    "415": "The body is no form.",
    "422": "The file is none that is read, or the idempotency key was used otherwise; details.reason says which.",
}
_FILE = {
    "type": "object",
    "properties": {"file": {"type": "string", "format": "binary"}},
    "required": ["file"],
    "additionalProperties": False,
}
_WORKSPACE = {
    "name": WORKSPACE_HEADER,
    "in": "header",
    "description": "Which workspace is meant, for a person who is a member of several.",
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,128}$"},
}
_ID = {"type": "string", "minLength": 1, "maxLength": 1500}


@cache
def openapi() -> dict[str, Any]:
    """The document, OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(f"/{'/'.join(PREFIX)}{route.path}", {})[route.method.lower()] = _operation(route)
    paths[f"/{'/'.join(PREFIX)}/{OPENAPI}"] = {"get": _itself()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Memex", "version": "1", "description": "Notes that are researched while you are away."},
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "description": _BEARER}},
        },
    }


def _operation(route: Route) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": route.summary,
        "parameters": list(_parameters(route)),
        "responses": _responses(route),
    }
    if route.upload:
        operation["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": _FILE}}}
    operation["x-role"] = route.least_role
    operation["x-operator"] = route.operator or route.role is Role.OPERATOR
    if route.secret_address:
        operation["security"] = []
    if route.body is not None:
        operation["requestBody"] = {
            "required": route.body_required,
            "content": {_JSON: {"schema": _reference(route.body)}},
        }
    return operation


def _parameters(route: Route) -> Iterator[dict[str, Any]]:
    for segment in route.segments:
        if segment[0] == "{":
            yield {"name": segment[1:-1], "in": "path", "required": True, "schema": _ID}
    if not route.secret_address:
        yield _WORKSPACE
    for one in route.query:
        yield {"name": one.name, "in": "query", "description": one.description, "schema": dict(one.schema)}
    if route.idempotent_key:
        yield {
            "name": "Idempotency-Key",
            "in": "header",
            "description": "The same key twice is one thing; with another body it is refused (422).",
            "schema": {"type": "string", "minLength": 1, "maxLength": 200},
        }
    if route.stream:
        yield {
            "name": "Last-Event-ID",
            "in": "header",
            "description": "The id of the last event that was received; the answer goes on after it.",
            "schema": {"type": "string"},
        }


def _responses(route: Route) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if route.stream:
        content["text/event-stream"] = {"schema": {"type": "string"}}
    if route.answer is not None:
        content[_JSON] = {"schema": _reference(route.answer)}
    if route.download:
        content["application/octet-stream"] = {"schema": {"type": "string", "format": "binary"}}
    good: dict[str, Any] = {"description": route.summary}
    if content:
        good["content"] = content
    answers = {str(route.status): good}
    if route.idempotent_key:
        answers["200"] = good
    error = {_JSON: {"schema": _reference(ErrorAnswer)}}
    return answers | {code: {"description": text, "content": error} for code, text in sorted(_errors(route).items())}


def _errors(route: Route) -> dict[str, str]:
    """Descriptions of the refusals that the route knows, by status."""
    body = _BODY_ERRORS if route.body is not None else {}
    key = _KEY_ERRORS if route.idempotent_key else {}
    turn = _TURN_ERRORS if route.stream and route.body is not None else {}
    upload = _UPLOAD_ERRORS if route.upload else {}
    return _ERRORS | body | key | upload | turn


def _itself() -> dict[str, Any]:
    good = {"description": "This document.", "content": {_JSON: {"schema": {"type": "object"}}}}
    return {"operationId": "openapi", "summary": "This document.", "security": [], "responses": {"200": good}}


def _schemas() -> dict[str, Any]:
    answers = [route.answer for route in ROUTES if route.answer is not None]
    bodies = [route.body for route in ROUTES if route.body is not None]
    unique: list[type[BaseModel]] = list(dict.fromkeys([*answers, ErrorAnswer]))
    inputs = [(model, "validation") for model in dict.fromkeys(bodies)]
    outputs = [(model, "serialization") for model in unique]
    _, definitions = models_json_schema([*inputs, *outputs], ref_template="#/components/schemas/{model}")  # type: ignore[list-item]
    schemas: dict[str, Any] = definitions["$defs"]
    return schemas


def _reference(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{model.__name__}"}
