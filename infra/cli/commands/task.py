"""`memex task`: what is to be done."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import quote

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import one_line, print_json, styled, table

PAGE = 200
_NONE = "none"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def task() -> None:
    """Add, list, change, finish and delete tasks."""


@task.command()
@click.argument("title")
@click.option("--due", help="The day it is due: YYYY-MM-DD.")
@click.option("--notes", default="", help="More about it.")
@click.option("--note", "note_id", help="The note it came from.")
@address_options
def add(title: str, due: str | None, notes: str, note_id: str | None, **where: Any) -> None:
    """Add a task and print its id."""
    from shared.clock import SystemClock
    from shared.ids import UlidSource

    key = UlidSource(SystemClock(), random.SystemRandom()).fresh()
    body = {"title": title, "due": due, "notes": notes, "source_note_id": note_id}
    with connect(**where) as client:
        answer = client.post("/api/v1/tasks", body, key=key)
    print_json(answer) if where["as_json"] else click.echo(answer["task"]["id"])


@task.command(name="list")
@click.option("--done/--open", "done", default=None, help="Only done or only open ones; else both.")
@click.option("--due-before", help="Only those due before this day: YYYY-MM-DD.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="How many tasks at most.")
@address_options
def list_tasks(done: bool | None, due_before: str | None, limit: int, **where: Any) -> None:
    """List tasks: open ones by due day, those without one last; then done ones, newest first."""
    tasks: list[dict[str, Any]] = []
    cursor: str | None = None
    asked = {"done": None if done is None else str(done).lower(), "due_before": due_before}
    with connect(**where) as client:
        while len(tasks) < limit:
            page = client.get("/api/v1/tasks", **asked, limit=min(PAGE, limit - len(tasks)), cursor=cursor)
            tasks += page["tasks"]
            cursor = page.get("next_cursor")
            if not cursor:
                break
    if where["as_json"]:
        print_json({"tasks": tasks, "next_cursor": cursor})
        return
    table([_row(each) for each in tasks], ("id", "due", "done", "title"), none="No tasks.")
    if cursor:
        click.echo(styled(f"There are more: --limit {limit * 2}", dim=True), err=True)


@task.command()
@click.argument("task_ids", nargs=-1, required=True)
@click.option("--undo", is_flag=True, help="Open them again.")
@address_options
def done(task_ids: tuple[str, ...], undo: bool, **where: Any) -> None:
    """Finish tasks."""
    with connect(**where) as client:
        for each in task_ids:
            _show(client.patch(_path(each), {"done": not undo}), where["as_json"])


@task.command()
@click.argument("task_id")
@click.option("--title", help="A new title.")
@click.option("--due", help="A new day, YYYY-MM-DD, or `none` to take it away.")
@click.option("--notes", help="What it says besides.")
@address_options
def edit(task_id: str, title: str | None, due: str | None, notes: str | None, **where: Any) -> None:
    """Change what is given."""
    change: dict[str, Any] = {
        name: value for name, value in (("title", title), ("due", due), ("notes", notes)) if value is not None
    }
    if not change:
        raise click.UsageError("Give --title, --due or --notes.")
    if due == _NONE:
        change["due"] = None
    with connect(**where) as client:
        _show(client.patch(_path(task_id), change), where["as_json"])


@task.command()
@click.argument("task_id")
@address_options
def delete(task_id: str, **where: Any) -> None:
    """Delete a task."""
    with connect(**where) as client:
        client.delete(_path(task_id))
    print_json({"deleted": task_id}) if where["as_json"] else click.echo(f"{one_line(task_id)} is deleted.")


def _show(answer: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(answer)
    else:
        click.echo("  ".join(_row(answer["task"])))


def _row(item: dict[str, Any]) -> tuple[str, ...]:
    return one_line(item["id"]), item["due"] or "-", "✓" if item["done"] else " ", one_line(item["title"], 80)


def _path(task_id: str) -> str:
    return f"/api/v1/tasks/{quote(task_id, safe='')}"
