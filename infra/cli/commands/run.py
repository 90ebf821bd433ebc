"""`memex run`: goals that are worked on in steps."""

from __future__ import annotations

import random
import sys
from typing import Any

import click

from infra.cli.connect import connect
from infra.cli.options import Seconds, address_options
from infra.cli.terminal import minute, one_line, print_json, status_mark, styled, table

RUNS = "/api/v1/agent_runs"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def run() -> None:
    """Start, list, show, watch and cancel agent runs."""


@run.command(short_help="Have a goal worked on.")
@click.argument("goal")
@click.option("--watch/--no-watch", "watched", default=True, help="Follow it until it ends, which is the default.")
@click.option("--timeout", type=Seconds(0, min_open=True), help="Stop watching after so many seconds.")
@address_options
def start(goal: str, watched: bool, timeout: float | None, **where: Any) -> None:
    """Have a goal worked on: planned, looked into in steps side by side, answered with sources.

    \b
    memex run start "Sum up in a table what each one charges: Tavrolo, Plankett, Merigrid"

    It goes on when you stop watching it. With --json each event is a line. Exit codes are those of `memex run watch`.
    """
    if not goal.strip():
        raise click.UsageError("The goal is empty.")
    from shared.clock import SystemClock
    from shared.ids import UlidSource

    key = UlidSource(SystemClock(), random.SystemRandom()).fresh()
    with connect(**where) as client:
        found = client.post(RUNS, {"goal": goal}, key=key)["run"]
        if not watched:
            print_json({"run": found}) if where["as_json"] else click.echo(found["id"])
            return
        from infra.cli import running
        from infra.cli.to_the_end import Bounds

        code = running.watch(client, found, Bounds(where["as_json"], limit_seconds=timeout))
    sys.exit(code)


@run.command(name="list")
@click.option("--status", help="Only this status, such as running, succeeded or failed.")
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="How many at most.")
@click.option("--cursor", help="Go on after a page: the next_cursor of the last --json answer.")
@address_options
def list_runs(status: str | None, limit: int, cursor: str | None, **where: Any) -> None:
    """List runs, newest first."""
    with connect(**where) as client:
        answer = client.get(RUNS, status=status, limit=limit, cursor=cursor)
    if where["as_json"]:
        print_json(answer)
        return
    rows = [
        (
            one_line(item["id"]),
            minute(item["created_at"]),
            status_mark(item["status"]),
            one_line(item["goal"], 70),
        )
        for item in answer["runs"]
    ]
    table(rows, ("id", "begun (UTC)", "status", "goal"), none="No runs.")


@run.command(short_help="Show a run with its steps.")
@click.argument("run_id")
@address_options
def show(run_id: str, **where: Any) -> None:
    """Show a run with its steps, the tool calls of each, and what it cost."""
    from infra.cli import running

    with connect(**where) as client:
        answer = client.get(running.path_of(run_id))
    if where["as_json"]:
        print_json(answer)
        return
    item = answer["run"]
    click.echo(f"{status_mark(item['status'])}  {styled(one_line(item['goal'], 90), bold=True)}")
    for line in running.outline(item):
        click.echo(line)


@run.command(short_help="Follow a run until it ends.")
@click.argument("run_id", required=False)
@click.option("--after", type=click.IntRange(0), default=0, help="Begin after this event number.")
@click.option("--timeout", type=Seconds(0, min_open=True), help="Stop watching after so many seconds.")
@address_options
def watch(run_id: str | None, after: int, timeout: float | None, **where: Any) -> None:
    """Follow a run until it ends; without an id, the newest one. A broken connection is taken up where it broke.

    \b
    Exit codes: 0 succeeded, 1 failed (or it could not be watched), 2 wrong usage,
                3 cancelled, 4 still running when --timeout was over,
                130 still running when ctrl-C ended the watching.
    """
    from infra.cli import running
    from infra.cli.to_the_end import Bounds

    with connect(**where) as client:
        found = running.by_id(client, run_id) if run_id else running.newest(client)
        code = running.watch(client, found, Bounds(where["as_json"], after, timeout))
    sys.exit(code)


@run.command(short_help="Cancel a run.")
@click.argument("run_id")
@address_options
def cancel(run_id: str, **where: Any) -> None:
    """Cancel a run; one that has ended already stays as it is, and that is said."""
    from infra.cli import running

    with connect(**where) as client:
        answer = client.post(running.path_of(run_id) + "/cancel")
    if where["as_json"]:
        print_json(answer)
    else:
        click.echo(f"{status_mark(answer['run']['status'])}  {one_line(answer['message'])}")
