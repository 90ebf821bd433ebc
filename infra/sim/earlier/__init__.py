"""The version before this one, as far as others can see it: its stored shapes, its requests, its workflow.

It did not know who asked for an operation nor what each attempt used, and its `fail` took no execution. Code of that
version ignores these fields where it reads, loses them where it writes, and refuses a request that has them. When a
stored shape or a request changes, this becomes the version before that change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.store.database import Database
from shared.store.writes import Snapshot, Write

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

WORKFLOWS = Path(__file__).parent
"""{name}.yaml is the revision of the workflow before the present one."""
OPERATION_FIELDS = frozenset({"asked_by"})
ATTEMPT_FIELDS = frozenset({"usage"})
REQUEST_FIELDS: Mapping[str, frozenset[str]] = {"/fail": frozenset({"execution"})}
"""Fields that have come since, by document or by path of the request."""


class EarlierDatabase(Database):
    """The product's way to the database, with the shapes of the earlier version."""

    def _snapshot(self, found: Any) -> Snapshot:
        snapshot = super()._snapshot(found)
        if snapshot.fields is None:
            return snapshot
        return replace(snapshot, fields=earlier_fields(snapshot.path, snapshot.fields))

    def _add(self, batch: Any, write: Write) -> None:
        super()._add(batch, replace(write, fields=earlier_fields(write.path, write.fields)))


def earlier_fields(path: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """What the earlier version knows of a document's fields; `path` lies below the workspace."""
    collection, *below = path.split("/")
    if collection != "operations" or len(below) != 1:
        return dict(fields)
    known = {name: value for name, value in fields.items() if name not in OPERATION_FIELDS}
    if "interactions" in known:
        known["interactions"] = [
            {name: value for name, value in attempt.items() if name not in ATTEMPT_FIELDS}
            for attempt in known["interactions"]
        ]
    return known


def earlier_application(application: WSGIApplication) -> WSGIApplication:
    """The application as it answered then: requests with fields that it did not know are refused."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        unknown = REQUEST_FIELDS.get(environ["PATH_INFO"])
        if unknown:
            stream = environ["wsgi.input"]
            named = unknown & json.loads(stream.read()).keys()
            stream.seek(0)
            if named:
                start_response("400 Bad Request", [("Content-Type", "application/json")])
                return [json.dumps({"error": {"code": "invalid", "message": f"unknown: {sorted(named)}"}}).encode()]
        return application(environ, start_response)

    return answer
