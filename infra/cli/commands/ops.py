"""`memex ops`: the work under way and done."""

from __future__ import annotations

import sys
from typing import Any
from urllib.parse import quote

import click

from infra.cli.connect import connect
from infra.cli.options import Seconds, address_options
from infra.cli.terminal import facts, minute, one_line, print_json, status_mark, styled, table


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def ops() -> None:
    """List, show, watch and cancel operations."""


@ops.command(name="list")
@click.option("--status", help="Only this status: running, awaiting_approval, completed, failed, cancelled.")
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="How many at most.")
@click.option("--cursor", help="Go on after a page: the next_cursor of the last --json answer.")
@address_options
def list_operations(status: str | None, limit: int, cursor: str | None, **where: Any) -> None:
    """List operations, newest first."""
    with connect(**where) as client:
        answer = client.get("/api/v1/operations", status=status, limit=limit, cursor=cursor)
    if where["as_json"]:
        print_json(answer)
        return
    rows = [
        (one_line(item["id"]), minute(item["created_at"]), status_mark(item["status"]), _title(item))
        for item in answer["operations"]
    ]
    table(rows, ("id", "begun (UTC)", "status", "title"), none="No operations.")


@ops.command()
@click.argument("operation_id")
@address_options
def show(operation_id: str, **where: Any) -> None:
    """Show an operation."""
    with connect(**where) as client:
        answer = client.get(_path(operation_id))
    if where["as_json"]:
        print_json(answer)
        return
    item = answer["operation"]
    click.echo(f"{status_mark(item['status'])}  {styled(_title(item), bold=True)}")
    error = item.get("error") or {}
    values = {
        "id": item["id"],
        "kind": item["kind"],
        "begun": item["created_at"],
        "ended": item.get("finished_at"),
        "source note": item["source_note_id"] or None,
        "document": item.get("document_id"),
        "report": item.get("result_note_id"),
        "interaction": item.get("interaction_id"),
        "polls": item.get("attempts"),
        "plan": f"memex plan show {item['id']}" if item.get("plan") else None,
        "error": f"{error['message']} ({error['code']})" if error else None,
    }
    for line in facts(values):
        click.echo(line)


@ops.command()
@click.argument("operation_id", required=False)
@click.option("--note", "note_id", help="The newest operation of this note.")
@click.option("--after", type=click.IntRange(0), default=0, help="Begin after this event number.")
@click.option("--timeout", type=Seconds(0, min_open=True), help="Stop watching after so many seconds.")
@address_options
def watch(operation_id: str | None, note_id: str | None, after: int, timeout: float | None, **where: Any) -> None:
    """Follow an operation until it ends; without an id, the newest one.

    Where none runs yet, one is waited for a few seconds. A broken connection is taken up where it broke. With --json
    each event is a line.

    \b
    Exit codes: 0 completed, 1 failed (or it could not be watched), 2 wrong usage,
                3 cancelled, 4 still running when --timeout was over,
                5 its plan waits for your word (memex plan),
                130 still running when ctrl-C ended the watching.
    """
    if operation_id and note_id:
        raise click.UsageError("Give the operation's id or --note, not both.")
    from infra.cli import watching
    from infra.cli.to_the_end import Bounds

    with connect(**where) as client:
        operation = watching.by_id(client, operation_id) if operation_id else watching.newest(client, note_id)
        code = watching.watch(client, operation, Bounds(where["as_json"], after, timeout))
    sys.exit(code)


@ops.command()
@click.argument("operation_id")
@address_options
def cancel(operation_id: str, **where: Any) -> None:
    """Cancel an operation; one that has ended already stays as it is, and that is said."""
    with connect(**where) as client:
        answer = client.post(_path(operation_id) + "/cancel")
    if where["as_json"]:
        print_json(answer)
    else:
        click.echo(f"{status_mark(answer['operation']['status'])}  {one_line(answer['message'])}")


def _title(item: dict[str, Any]) -> str:
    return one_line(item.get("title") or item["source_note_id"], 70)


def _path(operation_id: str) -> str:
    return f"/api/v1/operations/{quote(operation_id, safe='')}"
