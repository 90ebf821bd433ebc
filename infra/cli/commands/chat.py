"""`memex chat`: ask, and look at what was said."""

from __future__ import annotations

import random
import sys
import threading
from typing import Any
from urllib.parse import quote

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import minute, one_line, print_json, styled, table

SESSIONS = "/api/v1/chat/sessions"
UNREADABLE = ("checkpoint_format", "checkpoint_unreadable")
"""What a turn fails with until the session store has forgotten its conversation."""


class _AskingGroup(click.Group):
    """What is no command is a question."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["ask", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_AskingGroup, context_settings={"help_option_names": ["-h", "--help"]})
def chat() -> None:
    """Ask your memex: memex chat "What do my notes say about rye?"

    \b
    memex chat [--session ID] [--json] QUESTION   is short for memex chat ask …
    """


@chat.command()
@click.argument("question")
@click.option("--session", help="Go on in this session; without it a new one begins.")
@address_options
def ask(question: str, session: str | None, **where: Any) -> None:
    """Ask, and print the answer as it is written; ctrl-C cancels the turn and keeps what was said.

    With --json each frame of the stream is a line: {"event": delta | trace | done, "data": {…}}.

    \b
    Exit codes: 0 answered, 1 failed, 2 wrong usage, 3 cancelled.
    """
    if not question.strip():
        raise click.UsageError("The question is empty.")
    from infra.cli.stopping import on_stop
    from infra.cli.talking import EXIT, Talk, cancelled_by
    from infra.cli.telling import Teller
    from shared.clock import SystemClock
    from shared.ids import UlidSource

    ids, as_json, stop = UlidSource(SystemClock(), random.SystemRandom()), where["as_json"], threading.Event()
    with connect(**where) as client:
        session = session or str(client.post(SESSIONS, {}, key=ids.fresh())["session"]["id"])
        talk, teller = Talk(client, quote(session, safe=""), question, ids.fresh()), Teller()
        done: dict[str, Any] = {}
        with on_stop(stop), cancelled_by(stop, talk):
            for event, data in talk.frames():
                if as_json:
                    print_json({"event": event, "data": data})
                else:
                    teller.tell(event, data)
                done = data if event == "done" else done
    if not as_json:
        _say_end(done, session)
    sys.exit(EXIT.get(str(done.get("status")), 1))


@chat.command(name="list")
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="How many at most.")
@click.option("--cursor", help="Go on after a page: the next_cursor of the last --json answer.")
@address_options
def list_sessions(limit: int, cursor: str | None, **where: Any) -> None:
    """List sessions, the one used last first."""
    with connect(**where) as client:
        answer = client.get(SESSIONS, limit=limit, cursor=cursor)
    if where["as_json"]:
        print_json(answer)
        return
    rows = [
        (one_line(item["id"]), minute(item["updated_at"]), str(item["turns"]), _title(item))
        for item in answer["sessions"]
    ]
    table(rows, ("id", "used (UTC)", "turns", "title"), none="No sessions.")


@chat.command()
@click.argument("session_id")
@address_options
def show(session_id: str, **where: Any) -> None:
    """Show what was said in a session, and what was done."""
    path, trace, before = _path(session_id), list[dict[str, Any]](), None
    with connect(**where) as client:
        while True:
            item = client.get(path, limit=200, before=before)["session"]
            trace = [*item["trace"], *trace]
            before = item["more_before"]
            if before is None:
                break
    if where["as_json"]:
        print_json({"session": {**item, "trace": trace}})
        return
    from infra.cli.telling import Teller

    click.echo(styled(_title(item), bold=True))
    teller = Teller()
    for event in trace:
        if event["type"] == "user_message":
            click.echo(f"\n{styled('›', fg='cyan')} {one_line(event['data']['text'])}\n")
        teller.tell("trace", event)


@chat.command()
@click.argument("session_id")
@address_options
def delete(session_id: str, **where: Any) -> None:
    """Delete a session with all that was said; a turn that runs is cancelled."""
    with connect(**where) as client:
        client.delete(_path(session_id))
    if where["as_json"]:
        print_json({"deleted": session_id})


def _say_end(done: dict[str, Any], session: str) -> None:
    status = done.get("status")
    if status == "cancelled":
        click.echo(styled("Cancelled.", fg="yellow"), err=True)
    elif status == "failed":
        error = done.get("error") or {}
        click.echo(f"memex: {one_line(str(error.get('message', 'The turn failed.')))}", err=True)
        if error.get("code") in UNREADABLE:
            hint = f"memex sessions forget {one_line(session)} removes it; the next turn then puts it together anew."
            click.echo(styled(hint, dim=True), err=True)
            return
    by = f"{one_line(str(done['model']))} answered; " if done.get("model") and status == "completed" else ""
    click.echo(styled(f"{by}memex chat --session {one_line(session)} goes on.", dim=True), err=True)


def _title(item: dict[str, Any]) -> str:
    return one_line(item.get("title") or "(no title)", 70)


def _path(session_id: str) -> str:
    return f"{SESSIONS}/{quote(session_id, safe='')}"
