"""Executions of workflows: where they stand, what they did, their source; cancelling one."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from flask import Blueprint, Response

from infra.local.clock import Clock
from infra.local.console.answers import number, say, stamp
from infra.local.environment import Place
from infra.local.workflows.api import Api
from infra.local.workflows.outline import step_lines
from infra.local.workflows.store import ExecutionRow

NEWEST, MOST = 50, 500
HISTORY = 300


class Executions:
    """The addresses of Workflows."""

    def __init__(self, api: Api, place: Place, clock: Clock) -> None:
        self._api, self._clock = api, clock
        self._workflows = f"projects/{place.project}/locations/{place.location}/workflows"

    def register(self, pages: Blueprint) -> None:
        """GET /_cloud/executions, …/{workflow}/{id} and …/source; POST …/cancel."""
        one = "/executions/<workflow>/<execution>"
        pages.add_url_rule("/executions", "executions", self.newest, methods=["GET"])
        pages.add_url_rule(one, "execution", self.look, methods=["GET"])
        pages.add_url_rule(f"{one}/source", "execution_source", self.source, methods=["GET"])
        pages.add_url_rule(f"{one}/cancel", "execution_cancel", self.cancel, methods=["POST"])

    def newest(self) -> Response:
        """The newest executions, and the step each is in."""
        rows = self._api.newest(number("limit", NEWEST, MOST))
        return say({"executions": [self._row(row) for row in rows]})

    def look(self, workflow: str, execution: str) -> Response:
        """One execution with argument, result or error, and its newest step entries, oldest first."""
        name = self._name(workflow, execution)
        row, (entries, count) = self._api.row(name), self._api.history(name, HISTORY)
        whole = {
            **self._row(row),
            "revision": row.revision,
            "labels": dict(row.labels),
            "argument": _parsed(row.argument),
            "result": _parsed(row.result),
            "error": None if row.error is None else dict(row.error),
            "history_left_out": count - len(entries),
            "history": [_entry(entry) for entry in entries],
        }
        return say(whole)

    def source(self, workflow: str, execution: str) -> Response:
        """The source this execution runs, and the line of each step."""
        revision = self._api.source(self._name(workflow, execution))
        lines = [
            {"routine": routine, "step": step, "line": line} for (routine, step), line in step_lines(revision).items()
        ]
        return say({"file": revision.file, "revision": revision.revision, "source": revision.source, "steps": lines})

    def cancel(self, workflow: str, execution: str) -> Response:
        """End it as CANCELLED; 409 when it has ended."""
        name = self._name(workflow, execution)
        self._api.cancel(name)
        return say(self._row(self._api.row(name)))

    def _name(self, workflow: str, execution: str) -> str:
        return f"{self._workflows}/{workflow}/executions/{execution}"

    def _row(self, row: ExecutionRow) -> dict[str, Any]:
        end = row.ended or self._clock.now()
        return {
            "workflow": row.workflow,
            "id": row.id,
            "state": row.state,
            "started_at": stamp(row.started),
            "ended_at": stamp(row.ended),
            "seconds": round((end - row.started).total_seconds(), 1),
            "steps": [dict(step) for step in row.current_steps],
        }


def _entry(entry: dict[str, Any]) -> dict[str, Any]:
    began, updated = (datetime.fromisoformat(entry[name]) for name in ("create_time", "update_time"))
    state = entry["state"].removeprefix("STATE_")
    ended = None if state == "IN_PROGRESS" else updated
    return {
        "entry": entry["entry"],
        "routine": entry["routine"],
        "step": entry["step"],
        "kind": entry["kind"],
        "state": state,
        "started_at": stamp(began),
        "ended_at": stamp(ended),
        "seconds": None if ended is None else round((ended - began).total_seconds(), 3),
    }


def _parsed(text: str) -> Any:
    """Stored JSON; None for what is not there."""
    return json.loads(text) if text else None
