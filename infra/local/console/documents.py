"""The Firestore browser: collections, documents, fields; changes go through the service's own methods."""

from __future__ import annotations

from typing import Any

import grpc
from flask import Blueprint, Response, request

from infra.local.console.answers import Refusal, body, number, parse_json, say, wanted
from infra.local.console.typed import fields_json, read_fields
from infra.local.firestore import names, wire
from infra.local.firestore.inside import Inside
from infra.local.rpc import RpcError

PAGE, LARGEST_PAGE = 50, 300
PREVIEW = 140
BRIEF = 60
"""Of one value in it."""


class Browser:
    """What is at a path below the documents of a database. "" is the root, an even number of ids a document."""

    def __init__(self, inside: Inside, project: str) -> None:
        self._inside, self._database = inside, f"projects/{project}/databases/(default)"

    def register(self, pages: Blueprint) -> None:
        """GET, POST, PUT and DELETE /_cloud/firestore."""
        for method, act in (("GET", self.look), ("POST", self.create), ("PUT", self.replace), ("DELETE", self.delete)):
            pages.add_url_rule("/firestore", f"firestore_{method.lower()}", act, methods=[method])

    def look(self) -> Response:
        """The document or the page of a collection at ?path=, in ?database=."""
        database = request.args.get("database") or self._database
        path = request.args.get("path", "").strip("/")
        segments = names.parse(_name(database, path)).segments
        about = {"database": database, "path": path, "change": self._inside.last_change()}
        if len(segments) % 2:
            return say({**about, **self._collection(database, segments)})
        return say({**about, **self._document(database, segments)})

    def create(self) -> Response:
        """{"path": of a document, or of a collection for an id of its own, "fields"}: 201, or 409 when it exists."""
        content = body()
        database, segments = self._target(content)
        document = wire.Document(fields=self._fields(content, database))
        collection, document_id = (segments, "") if len(segments) % 2 else (segments[:-1], segments[-1])
        parent = _name(database, "/".join(collection[:-1]))
        made = self._inside.create(parent, collection[-1], document_id, document)
        return say(self._whole(made, database), 201)

    def replace(self) -> Response:
        """{"path", "fields", "update_time"}: all fields anew; 409 unless the document is of that time still."""
        content = body()
        database, segments = self._target(content)
        document = wire.Document(name=_name(database, "/".join(segments)), fields=self._fields(content, database))
        seen = _moment(content)
        try:
            return say(self._whole(self._inside.replace(document, seen), database))
        except RpcError as error:
            raise _overtaken(error) from error

    def delete(self) -> Response:
        """{"path", "update_time"}: 409 unless the document is of that time still."""
        content = body()
        database, segments = self._target(content)
        try:
            self._inside.delete(_name(database, "/".join(segments)), _moment(content))
        except RpcError as error:
            raise _overtaken(error) from error
        return say({"deleted": "/".join(segments)})

    def _collection(self, database: str, segments: tuple[str, ...]) -> dict[str, Any]:
        parent = _name(database, "/".join(segments[:-1]))
        size, token = number("page_size", PAGE, LARGEST_PAGE), request.args.get("page_token", "")
        found, following = self._inside.page(parent, segments[-1], size, token)
        return {
            "kind": "collection",
            "documents": [_row(document, database) for document in found],
            "next_page_token": following,
        }

    def _document(self, database: str, segments: tuple[str, ...]) -> dict[str, Any]:
        name = _name(database, "/".join(segments))
        below = {"kind": "document", "collections": list(self._inside.collections(name))}
        if not segments:
            return {**below, "kind": "root", "databases": sorted({self._database, *self._inside.databases()})}
        try:
            return {**below, **self._whole(self._inside.get(name), database)}
        except RpcError as error:
            if error.code is not grpc.StatusCode.NOT_FOUND:
                raise
            return {**below, "exists": False, "fields": {}}

    def _whole(self, document: Any, database: str) -> dict[str, Any]:
        return {
            "path": _path(document.name),
            "exists": True,
            "create_time": document.create_time.ToJsonString(),
            "update_time": document.update_time.ToJsonString(),
            "fields": fields_json(document.fields, database),
        }

    def _target(self, content: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
        database = wanted(content, "database", str, self._database)
        path = wanted(content, "path", str).strip("/")
        segments = names.parse(_name(database, path)).segments
        if not segments:
            raise Refusal(400, "path must name a document.", "path")
        return database, segments

    def _fields(self, content: dict[str, Any], database: str) -> dict[str, Any]:
        """`fields` is an object, or JSON as text: a text keeps what JavaScript would lose, such as 1.0."""
        fields = content.get("fields")
        return read_fields(parse_json(fields, "fields") if isinstance(fields, str) else fields, database)


def _name(database: str, path: str) -> str:
    return f"{database}/documents/{path}" if path else f"{database}/documents"


def _path(name: str) -> str:
    return name.partition("/documents/")[2]


def _row(document: Any, database: str) -> dict[str, Any]:
    exists = document.HasField("update_time")
    update_time = document.update_time.ToJsonString() if exists else None
    return {
        "path": _path(document.name),
        "exists": exists,
        "update_time": update_time,
        "preview": _preview(document, database),
    }


def _preview(document: Any, database: str) -> str:
    """The first fields, cut short."""
    text = ""
    for name in sorted(document.fields):
        text += f"{', ' if text else ''}{name}: {_brief(document.fields[name], database)}"
        if len(text) > PREVIEW:
            return f"{text[:PREVIEW]}…"
    return text


def _brief(value: Any, database: str) -> str:
    kind = value.WhichOneof("value_type")
    if kind == "map_value":
        return f"{{{len(value.map_value.fields)}}}"
    if kind == "array_value":
        return f"[{len(value.array_value.values)}]"
    plain = fields_json({"": value}, database)[""]
    text = str(next(iter(plain.values())) if isinstance(plain, dict) else plain)
    return text if len(text) <= BRIEF else f"{text[:BRIEF].rstrip()}…"


def _moment(content: dict[str, Any]) -> Any:
    moment = wire.Timestamp()
    try:
        moment.FromJsonString(wanted(content, "update_time", str))
    except ValueError as error:
        raise Refusal(400, "update_time must be the one that was seen with the document.", "update_time") from error
    return moment


def _overtaken(error: RpcError) -> Exception:
    if error.code is not grpc.StatusCode.FAILED_PRECONDITION:
        return error
    return Refusal(409, "The document has changed since you saw it; nothing was written.", "update_time")
