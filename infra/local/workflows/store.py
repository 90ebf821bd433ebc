"""What survives: workflows with their revisions, executions with their machines, the history of steps."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from sqlite3 import Row
from typing import Any

from infra.local.database import Database
from infra.local.workflows.machine.machine import StepEvent

SCHEMA = """
CREATE TABLE IF NOT EXISTS revisions (
    workflow TEXT NOT NULL, number INTEGER NOT NULL, revision TEXT NOT NULL, file TEXT NOT NULL, source TEXT NOT NULL,
    environment TEXT NOT NULL, service_account TEXT NOT NULL, create_time TEXT NOT NULL,
    PRIMARY KEY (workflow, number)
);
CREATE TABLE IF NOT EXISTS executions (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, workflow TEXT NOT NULL, revision TEXT NOT NULL,
    state TEXT NOT NULL, argument TEXT NOT NULL, result TEXT NOT NULL DEFAULT '', error TEXT NOT NULL DEFAULT '',
    labels TEXT NOT NULL, call_log_level INTEGER NOT NULL, start_time TEXT NOT NULL, end_time TEXT NOT NULL DEFAULT '',
    current_steps TEXT NOT NULL DEFAULT '[]', machine TEXT
);
CREATE INDEX IF NOT EXISTS executions_by_workflow ON executions (workflow, number);
CREATE INDEX IF NOT EXISTS executions_by_state ON executions (state);
CREATE TABLE IF NOT EXISTS step_entries (
    execution TEXT NOT NULL, entry INTEGER NOT NULL, routine TEXT NOT NULL, step TEXT NOT NULL, kind TEXT NOT NULL,
    state TEXT NOT NULL, create_time TEXT NOT NULL, update_time TEXT NOT NULL,
    PRIMARY KEY (execution, entry)
);
"""


@dataclass(frozen=True)
class Revision:
    """One deployed version of a workflow; `created` is its time, `workflow_created` the first one's."""

    workflow: str
    number: int
    revision: str
    file: str
    source: str
    environment: Mapping[str, str]
    service_account: str
    created: datetime


@dataclass(frozen=True)
class ExecutionRow:
    """An execution as stored, without its machine."""

    number: int
    id: str
    workflow: str
    revision: str
    state: str
    argument: str
    result: str
    error: Mapping[str, Any] | None
    labels: Mapping[str, str]
    call_log_level: int
    started: datetime
    ended: datetime | None
    current_steps: Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class NewExecution:
    """What a new execution starts from."""

    id: str
    workflow: str
    revision: str
    argument: str
    labels: Mapping[str, str]
    call_log_level: int
    started: datetime
    machine: Any


@dataclass(frozen=True)
class End:
    """How an execution ended; without a `last_step` it keeps showing the steps it was in."""

    execution: str
    state: str
    at: datetime
    result: str = ""
    error: Mapping[str, Any] | None = None
    last_step: Mapping[str, str] | None = None
    events: Sequence[StepEvent] = ()


class Store:
    """The database of the workflows part."""

    def __init__(self, data_dir: Path) -> None:
        self._database = Database(data_dir / "workflows.sqlite", SCHEMA)

    def close(self) -> None:
        self._database.close()

    def _rows(self, sql: str, *arguments: Any) -> list[Row]:
        cursor = self._database.read().execute(sql, arguments)
        cursor.row_factory = Row
        return cursor.fetchall()

    def add_revision(self, revision: Revision) -> None:
        values = (
            revision.workflow,
            revision.number,
            revision.revision,
            revision.file,
            revision.source,
            json.dumps(dict(revision.environment), sort_keys=True),
            revision.service_account,
            revision.created.isoformat(),
        )
        with self._database.write() as connection:
            connection.execute("INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)

    def latest(self, workflow: str) -> Revision | None:
        """The revision new executions run."""
        rows = self._rows("SELECT * FROM revisions WHERE workflow = ? ORDER BY number DESC LIMIT 1", workflow)
        return _revision(rows[0]) if rows else None

    def first(self, workflow: str) -> Revision | None:
        rows = self._rows("SELECT * FROM revisions WHERE workflow = ? ORDER BY number LIMIT 1", workflow)
        return _revision(rows[0]) if rows else None

    def revision(self, workflow: str, revision: str) -> Revision | None:
        rows = self._rows("SELECT * FROM revisions WHERE workflow = ? AND revision = ?", workflow, revision)
        return _revision(rows[0]) if rows else None

    def workflows(self) -> list[str]:
        """The names of all workflows, in order."""
        return [row["workflow"] for row in self._rows("SELECT DISTINCT workflow FROM revisions ORDER BY workflow")]

    def add_execution(self, new: NewExecution) -> None:
        values = (
            new.id,
            new.workflow,
            new.revision,
            "ACTIVE",
            new.argument,
            json.dumps(dict(new.labels)),
            new.call_log_level,
            new.started.isoformat(),
            json.dumps(new.machine),
        )
        columns = "id, workflow, revision, state, argument, labels, call_log_level, start_time, machine"
        with self._database.write() as connection:
            connection.execute(f"INSERT INTO executions ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)

    def execution(self, execution: str) -> ExecutionRow | None:
        rows = self._rows(f"SELECT {_COLUMNS} FROM executions WHERE id = ?", execution)
        return _execution(rows[0]) if rows else None

    def executions(self, workflow: str) -> list[ExecutionRow]:
        """All executions of a workflow, newest first."""
        rows = self._rows(f"SELECT {_COLUMNS} FROM executions WHERE workflow = ? ORDER BY number DESC", workflow)
        return [_execution(row) for row in rows]

    def newest(self, limit: int) -> list[ExecutionRow]:
        """The newest executions of all workflows, without argument and result."""
        columns = _COLUMNS.replace(" argument, result,", " '' AS argument, '' AS result,")
        return [
            _execution(row)
            for row in self._rows(f"SELECT {columns} FROM executions ORDER BY number DESC LIMIT ?", limit)
        ]

    def wipe(self) -> int:
        """Forget every execution and its history; how many there were. The workflows stay."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM step_entries")
            return int(connection.execute("DELETE FROM executions").rowcount)

    def active(self) -> list[str]:
        """The ids of executions that have not ended, oldest first."""
        return [row["id"] for row in self._rows("SELECT id FROM executions WHERE state = 'ACTIVE' ORDER BY number")]

    def machine(self, execution: str) -> Any:
        """The stored state of an active execution's machine, or None."""
        rows = self._rows("SELECT machine FROM executions WHERE id = ? AND state = 'ACTIVE'", execution)
        return json.loads(rows[0]["machine"]) if rows and rows[0]["machine"] else None

    def checkpoint(
        self, execution: str, machine: Any, current_steps: Sequence[Mapping[str, str]], events: Sequence[StepEvent]
    ) -> None:
        """Store where an execution stands, and its history since the last time, in one transaction."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE executions SET machine = ?, current_steps = ? WHERE id = ? AND state = 'ACTIVE'",
                (json.dumps(machine), json.dumps(list(current_steps)), execution),
            )
            _write_events(connection, execution, events)

    def finish(self, end: End) -> bool:
        """End an active execution; False when it had ended before."""
        with self._database.write() as connection:
            changed = connection.execute(
                "UPDATE executions SET state = ?, end_time = ?, result = ?, error = ?, machine = NULL,"
                " current_steps = COALESCE(?, current_steps) WHERE id = ? AND state = 'ACTIVE'",
                (
                    end.state,
                    end.at.isoformat(),
                    end.result,
                    json.dumps(end.error) if end.error else "",
                    json.dumps([end.last_step]) if end.last_step else None,
                    end.execution,
                ),
            ).rowcount
            if changed:
                _write_events(connection, end.execution, end.events)
                connection.execute(
                    "UPDATE step_entries SET state = ?, update_time = ?"
                    " WHERE execution = ? AND state = 'STATE_IN_PROGRESS'",
                    (f"STATE_{end.state}", end.at.isoformat(), end.execution),
                )
        return bool(changed)

    def history(self, execution: str, limit: int) -> tuple[list[dict[str, Any]], int]:
        """The newest step entries, oldest first, and how many there are in all."""
        (count,) = self._rows("SELECT count(*) FROM step_entries WHERE execution = ?", execution)[0]
        sql = "SELECT * FROM step_entries WHERE execution = ? ORDER BY entry DESC LIMIT ?"
        return [dict(row) for row in reversed(self._rows(sql, execution, limit))], count

    def step_entries(self, execution: str) -> list[dict[str, Any]]:
        """The history of an execution, oldest first."""
        return [
            dict(row) for row in self._rows("SELECT * FROM step_entries WHERE execution = ? ORDER BY entry", execution)
        ]


_COLUMNS = (
    "number, id, workflow, revision, state, argument, result, error, labels, call_log_level, start_time, end_time,"
    " current_steps"
)


def _write_events(connection: Any, execution: str, events: Sequence[StepEvent]) -> None:
    for event in events:
        at = event.at.isoformat()
        if event.ended is None:
            connection.execute(
                "INSERT OR REPLACE INTO step_entries VALUES (?, ?, ?, ?, ?, 'STATE_IN_PROGRESS', ?, ?)",
                (execution, event.entry, event.routine, event.step, event.kind, at, at),
            )
        else:
            connection.execute(
                "UPDATE step_entries SET state = ?, update_time = ? WHERE execution = ? AND entry = ?",
                (f"STATE_{event.ended}", at, execution, event.entry),
            )


def _revision(row: Row) -> Revision:
    return Revision(
        row["workflow"],
        row["number"],
        row["revision"],
        row["file"],
        row["source"],
        json.loads(row["environment"]),
        row["service_account"],
        datetime.fromisoformat(row["create_time"]),
    )


def _execution(row: Row) -> ExecutionRow:
    return ExecutionRow(
        row["number"],
        row["id"],
        row["workflow"],
        row["revision"],
        row["state"],
        row["argument"],
        row["result"],
        json.loads(row["error"]) if row["error"] else None,
        json.loads(row["labels"]),
        row["call_log_level"],
        datetime.fromisoformat(row["start_time"]),
        datetime.fromisoformat(row["end_time"]) if row["end_time"] else None,
        json.loads(row["current_steps"]),
    )
