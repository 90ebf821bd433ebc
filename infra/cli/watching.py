"""Which operation is meant, and following it to its end."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import click

from infra.cli import to_the_end
from infra.cli.client import ApiClient
from infra.cli.errors import CliError
from infra.cli.follow import TERMINAL, Followed
from infra.cli.progress import PLANS, Progress
from infra.cli.terminal import one_line
from infra.cli.to_the_end import Bounds, Kind

APPEAR_SECONDS = 5.0
"""How long a research run that was asked for may take to show up."""
LOOK_SECONDS = 0.2
SILENT_SECONDS = 1.0
"""How long it is waited without saying so."""
WAITS = "awaiting_approval"
KIND = Kind("ops", "result_note_id", "Report", {"completed": 0, "failed": 1, "cancelled": 3, WAITS: 5})

Operation = dict[str, Any]


def newest(client: ApiClient, note_id: str | None = None) -> Operation:
    """The newest operation, of a note where one is given; one that runs is waited for, for a few seconds.

    Raises CliError when there is none.
    """
    began, told = client.clock.now(), False
    while True:
        found = _listed(client, note_id)
        waited = (client.clock.now() - began).total_seconds()
        late = waited >= APPEAR_SECONDS
        if found and (found[0]["status"] in ("running", WAITS) or late):
            return found[0]
        if late:
            raise CliError(_none(note_id), code="none")
        if waited >= SILENT_SECONDS and not told:
            click.echo(f"Nothing runs. Looking {APPEAR_SECONDS:g} s for what is about to begin.", err=True)
            told = True
        client.clock.sleep(LOOK_SECONDS)


def by_id(client: ApiClient, operation_id: str) -> Operation:
    return dict(client.get(path_of(operation_id))["operation"])


def path_of(operation_id: str) -> str:
    return f"/api/v1/operations/{quote(operation_id, safe='')}"


def title_of(operation: Operation) -> str:
    return one_line(operation.get("title") or operation["source_note_id"], 70)


def watch(client: ApiClient, operation: Operation, bounds: Bounds) -> int:
    """See to_the_end.watch; where its plan waits for a word, that is an end of the watching."""
    code = to_the_end.watch(
        client,
        KIND,
        Followed(path_of(operation["id"]), "operation", TERMINAL | {WAITS}, pauses=PLANS),
        lambda: Progress(title_of(operation), client.clock, operation["created_at"]),
        bounds,
    )
    if code == KIND.exits[WAITS] and not bounds.as_json:
        click.echo(f"The plan waits for your word: memex plan show {one_line(operation['id'])}")
    return code


def _listed(client: ApiClient, note_id: str | None) -> list[Operation]:
    found = client.get("/api/v1/operations", limit=200 if note_id else 1)["operations"]
    return [one for one in found if note_id is None or one["source_note_id"] == note_id]


def _none(note_id: str | None) -> str:
    if note_id is not None:
        return f"No research of note {note_id} began. Tag it: memex note tag {note_id} research"
    return "There is no operation yet. Tag a note: memex note tag ID research"
