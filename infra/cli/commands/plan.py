"""`memex plan`: research plans that wait for approval."""

from __future__ import annotations

import sys
from typing import Any, TextIO
from urllib.parse import quote

import click

from infra.cli.client import ApiClient
from infra.cli.connect import connect
from infra.cli.errors import CliError
from infra.cli.options import address_options
from infra.cli.terminal import minute, one_line, print_json, status_mark, table

_FILE = click.option("--file", "file", type=click.File("r", encoding="utf-8"), help="The plan's new text; - is stdin.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def plan() -> None:
    """List, show, edit, approve and drop research plans. `memex research --plan` asks for one."""


@plan.command(name="list")
@click.option("--limit", type=click.IntRange(1, 200), default=50, show_default=True, help="How many at most.")
@address_options
def list_plans(limit: int, **where: Any) -> None:
    """List the plans that wait, newest first."""
    with connect(**where) as client:
        answer = client.get("/api/v1/operations", status="awaiting_approval", limit=limit)
    if where["as_json"]:
        print_json(answer)
        return
    rows = [
        (
            one_line(item["id"]),
            minute(item["plan"]["proposed_at"]),
            f"{item['plan']['estimate_low_usd']:.2f}–{item['plan']['estimate_high_usd']:.2f}",
            one_line(item["title"] or item["source_note_id"], 70),
        )
        for item in answer["operations"]
    ]
    table(rows, ("operation", "proposed (UTC)", "USD", "title"), none="No plan waits for your word.")


@plan.command()
@click.argument("operation_id", required=False)
@click.option("--text", "only_text", is_flag=True, help="The plan's text alone, as it can be edited.")
@address_options
def show(operation_id: str | None, only_text: bool, **where: Any) -> None:
    """Show a plan and what its run may cost; without an id the one that waits."""
    with connect(**where) as client:
        operation = _planned(client, operation_id)
    if where["as_json"]:
        print_json({"operation": operation})
    elif only_text:
        click.echo(operation["plan"]["text"], nl=not operation["plan"]["text"].endswith("\n"))
    else:
        from infra.cli.plans import show_plan

        show_plan(operation)


@plan.command()
@click.argument("operation_id", required=False)
@_FILE
@address_options
def edit(operation_id: str | None, file: TextIO | None, **where: Any) -> None:
    """Change a plan's text, in $EDITOR or from a file; without an id of the one that waits. It still waits then."""
    with connect(**where) as client:
        operation = _planned(client, operation_id)
        plan_now = operation["plan"]
        if file is None:
            _on_a_terminal("give the new text with --file")
        text = file.read() if file else click.edit(plan_now["text"], extension=".md")
        if text is None or not text.strip():
            raise CliError("Nothing was changed.", code="unchanged")
        answer = client.patch(f"{_path(operation['id'])}/plan", {"text": text, "revision": plan_now["revision"]})
    if where["as_json"]:
        print_json(answer)
    else:
        click.echo(f"Revision {answer['operation']['plan']['revision']}; it still waits for your word.")


@plan.command()
@click.argument("operation_id")
@click.argument("words")
@address_options
def change(operation_id: str, words: str, **where: Any) -> None:
    """Have another plan made, which costs what the first did: memex plan change ID "Leave out prices"."""
    with connect(**where) as client:
        revision = _planned(client, operation_id)["plan"]["revision"]
        answer = client.post(f"{_path(operation_id)}/plan", {"change": words, "revision": revision})
    if where["as_json"]:
        print_json(answer)
    else:
        click.echo(f"Another plan is made. Follow it with: memex ops watch {one_line(operation_id)}")


@plan.command()
@click.argument("operation_id", required=False)
@click.option("--revision", type=click.IntRange(1), help="What was seen: without asking, and no other revision.")
@click.option("--yes", is_flag=True, help="Do not ask; the plan as it is now.")
@click.option("--anyway", is_flag=True, help="Although the note was changed since the plan was made.")
@click.option("--watch", "watched", is_flag=True, help="Follow the research until it ends.")
@_FILE
@address_options
def approve(
    operation_id: str | None,
    revision: int | None,
    yes: bool,
    anyway: bool,
    watched: bool,
    file: TextIO | None,
    **where: Any,
) -> None:
    """Have the research carried out by its plan, which costs money. On a terminal the plan is shown first.

    Without an id it is the plan that waits, where only one does.

    With --watch the exit code is that of `memex ops watch`.
    """
    with connect(**where) as client:
        operation = _planned(client, operation_id)
        text = file.read() if file else None
        if revision is None and not yes and text is None and operation["status"] == "awaiting_approval":
            from infra.cli.plans import show_plan

            show_plan(operation)
            _confirmed()
        seen = {"revision": revision or operation["plan"]["revision"], "text": text, "anyway": anyway}
        answer = client.post(f"{_path(operation['id'])}/approve", seen)
        if where["as_json"]:
            print_json(answer)
        else:
            click.echo(one_line(answer["message"]))
        if watched:
            from infra.cli import watching
            from infra.cli.to_the_end import Bounds

            after = operation["seq"] if answer["changed"] else 0
            sys.exit(watching.watch(client, answer["operation"], Bounds(where["as_json"], after)))


@plan.command()
@click.argument("operation_id")
@address_options
def drop(operation_id: str, **where: Any) -> None:
    """Decide against the research: nothing more is spent, and the plan is kept with its operation."""
    with connect(**where) as client:
        _planned(client, operation_id)
        answer = client.post(f"{_path(operation_id)}/cancel")
    if where["as_json"]:
        print_json(answer)
    else:
        click.echo(f"{status_mark(answer['operation']['status'])}  {one_line(answer['message'])}")


def _confirmed() -> None:
    try:
        click.confirm("Approve it?", abort=True)
    except click.Abort:
        _on_a_terminal("say --yes, or --revision with the one that was seen")
        raise


def _on_a_terminal(otherwise: str) -> None:
    """Raises CliError where nobody can answer."""
    if not sys.stdin.isatty():
        raise CliError(
            f"It was not approved or changed, and nobody is here to be asked: {otherwise}.", code="no_terminal"
        )


def _planned(client: ApiClient, operation_id: str | None) -> dict[str, Any]:
    """The operation, or the only one whose plan waits. Raises CliError where it has none, or several wait."""
    operation_id = operation_id or _the_one_that_waits(client)
    operation: dict[str, Any] = client.get(_path(operation_id))["operation"]
    if operation.get("plan") is None:
        made = "Its plan is still being made." if operation.get("plan_first") else "It was begun without a plan."
        raise CliError(f"Operation {operation_id} has no plan. {made}", code="no_plan")
    return operation


def _the_one_that_waits(client: ApiClient) -> str:
    listed = client.get("/api/v1/operations", status="awaiting_approval", limit=20)["operations"]
    waiting = [one_line(item["id"]) for item in listed]
    if not waiting:
        raise CliError("No plan waits for your word.", code="no_plan")
    if len(waiting) > 1:
        raise CliError(f"Several plans wait, say which: {', '.join(waiting)}.", code="several_plans")
    return waiting[0]


def _path(operation_id: str) -> str:
    return f"/api/v1/operations/{quote(operation_id, safe='')}"
