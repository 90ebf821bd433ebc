"""`memex research`: a question becomes a note, and its research begins, or is planned."""

from __future__ import annotations

import random
import sys
from typing import Any
from urllib.parse import quote

import click

from infra.cli.client import ApiClient
from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import is_terminal, one_line, print_json, styled


@click.command()
@click.argument("question", required=False)
@click.option("--note", "note_id", help="Research this captured note instead of a new one.")
@click.option("--title", default="", help="The new note's title.")
@click.option(
    "--plan/--no-plan",
    "plan",
    default=None,
    help="Show the plan and what it may cost first, or not. Without: as the workspace has it.",
)
@click.option("--watch", "watched", is_flag=True, help="Follow it until it ends, or its plan waits.")
@address_options
def research(
    question: str | None, note_id: str | None, title: str, plan: bool | None, watched: bool, **where: Any
) -> None:
    """Research a question and print the operation's id. It costs money, with --plan only once that is approved.

    \b
      memex research "How cold may a battery get?" --plan --watch
      memex plan approve op_...

    With --watch the exit code is that of `memex ops watch`.
    """
    if bool(question) == bool(note_id):
        raise click.UsageError("Give a question, or --note ID.")
    from shared.clock import SystemClock
    from shared.ids import UlidSource

    ids = UlidSource(SystemClock(), random.SystemRandom())
    with connect(**where) as client:
        note = note_id or _note(client, question or "", title, ids.fresh())
        path = f"/api/v1/notes/{quote(note, safe='')}/research"
        answer = client.post(path, {} if plan is None else {"plan": plan}, key=ids.fresh())
        operation = answer["operation"]
        print_json(answer) if where["as_json"] else click.echo(one_line(operation["id"]))
        if watched:
            from infra.cli import watching
            from infra.cli.to_the_end import Bounds

            sys.exit(watching.watch(client, operation, Bounds(where["as_json"])))
    if is_terminal() and not where["as_json"]:
        click.echo(styled(f"Follow it with: memex ops watch {one_line(operation['id'])}", dim=True), err=True)


def _note(client: ApiClient, question: str, title: str, key: str) -> str:
    answer = client.post("/api/v1/notes", {"title": title, "body": question, "tags": []}, key=key)
    return str(answer["note"]["id"])
