"""The demonstration's chat turn: it finds the report and takes a task from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from infra.cli.client import ApiClient
from infra.cli.errors import CliError
from infra.cli.talking import SESSIONS, Talk
from infra.cli.telling import Teller
from infra.cli.terminal import styled

QUESTION = "Find the report about a third battery module and add a task to measure the empty nights from it"
_INDEXED_SECONDS, _LOOK_SECONDS = 10.0, 0.1


@dataclass(frozen=True)
class Told:
    """How the turn ended, its events, and the tasks there are after it."""

    done: dict[str, Any]
    trace: list[dict[str, Any]]
    tasks: list[dict[str, Any]]


def ask(client: ApiClient, report_id: str, *, show: bool) -> Told:
    """Ask QUESTION in a new session, once the report can be found. Raises CliError when no task came of it."""
    _until(client, lambda: _found(client, report_id))
    session = str(client.post(SESSIONS, {}, key="demo")["session"]["id"])
    if show:
        click.echo(f"{styled('›', fg='cyan')} {QUESTION}\n")
    teller, done, trace = Teller(), dict[str, Any](), list[dict[str, Any]]()
    for event, data in Talk(client, session, QUESTION, "demo").frames():
        if show:
            teller.tell(event, data)
        if event == "trace":
            trace.append(data)
        done = data if event == "done" else done
    tasks = client.get("/api/v1/tasks")["tasks"]
    if done.get("status") != "completed" or not tasks:
        raise CliError(f"The chat turn is {done.get('status')}, with {len(tasks)} tasks.", code="not_completed")
    return Told(done, trace, tasks)


def _found(client: ApiClient, report_id: str) -> bool:
    found = client.get("/api/v1/search", q="third battery module", kind="research")["hits"]
    return any(hit["id"] == report_id for hit in found)


def _until(client: ApiClient, done: Callable[[], bool]) -> None:
    """Notes are indexed in the moments after they were written."""
    began = client.clock.now()
    while not done():
        if (client.clock.now() - began).total_seconds() > _INDEXED_SECONDS:
            raise CliError("The report was not indexed in time.", code="not_indexed")
        client.clock.sleep(_LOOK_SECONDS)
