"""The version before this one, as far as others can see it: its stored shapes, its requests, its workflow.

It knew of no webhooks: neither had it the function that takes them, nor the verb by which an execution says where it
listens. Code of that version ignores the fields that came with them where it reads, loses those of an attempt where it
writes, and refuses what it does not know. When a stored shape or a request changes, this becomes the version before
that change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.config import Settings
from shared.store.database import Database
from shared.store.writes import Snapshot, Write

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

WORKFLOWS = Path(__file__).parent
"""{name}.yaml is the revision of the workflow before the present one."""
OPERATION_FIELDS = frozenset({"callback_url", "wakes", "wakes_seen", "woken_at"})
ATTEMPT_FIELDS = frozenset({"webhook"})
"""Fields that have come since, by document."""
UNKNOWN: Mapping[str, frozenset[str]] = {"webhook": frozenset({"/"}), "research": frozenset({"/listen"})}
"""Paths that have come since, by function."""


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


def earlier_settings(settings: Settings) -> Settings:
    """The settings as that version had them."""
    return replace(settings, research_webhooks="off")


def earlier_application(name: str, application: WSGIApplication) -> WSGIApplication:
    """The function's application as it answered then: paths that it did not know are refused."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] in UNKNOWN.get(name, ()):
            start_response("404 Not Found", [("Content-Type", "application/json")])
            return [json.dumps({"error": {"code": "not_found", "message": "There is nothing here."}}).encode()]
        return application(environ, start_response)

    return answer
