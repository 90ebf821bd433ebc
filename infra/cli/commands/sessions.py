"""`memex sessions`: what the session store has of conversations, and moving it to another store."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from infra.cli.connect import connect
from infra.cli.errors import CliError
from infra.cli.options import address_options, data_option, json_option
from infra.cli.terminal import facts, minute, one_line, print_json, printable, styled, table

CHECKPOINTS = "/api/v1/chat/checkpoints"
STORES = ("sqlite", "firestore", "agent-engine")
PAGE = 100


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def sessions() -> None:
    """The checkpoints of conversations: list, show, forget, and copy to another store (docs/sessions.md)."""


@sessions.command(name="list")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="How many at most.")
@click.option("--cursor", help="Go on after a page: the next_cursor of the last --json answer.")
@address_options
def list_sessions(limit: int, cursor: str | None, **where: Any) -> None:
    """List the conversations that the session store has, the one saved last first; and say which store it is."""
    found: list[dict[str, Any]] = []
    with connect(**where) as client:
        while True:
            answer = client.get(CHECKPOINTS, limit=min(PAGE, limit - len(found)), cursor=cursor)
            found += answer["checkpoints"]
            cursor = answer.get("next_cursor")
            if not cursor or len(found) >= limit:
                break
    if where["as_json"]:
        print_json({"store": answer["store"], "checkpoints": found, "next_cursor": cursor})
        return
    _say_store(answer["store"])
    rows = [
        (
            one_line(item["session_id"]),
            minute(item["saved_at"]) if item.get("saved_at") else "?",
            str(item.get("version") or "unreadable"),
            minute(item["expires_at"]) if item.get("expires_at") else "–",
        )
        for item in found
    ]
    table(rows, ("session", "saved (UTC)", "version", "expires (UTC)"), none="No conversations.")
    if cursor:
        click.echo(styled(f"There are more: --limit {limit * 2}", dim=True), err=True)


@sessions.command()
@click.argument("session_id")
@address_options
def show(session_id: str, **where: Any) -> None:
    """Show the checkpoint of a conversation: what the model is told of what was said before."""
    with connect(**where) as client:
        answer = client.get(_path(session_id))
    if where["as_json"]:
        print_json(answer)
        return
    envelope = answer["checkpoint"]
    data = envelope["data"]
    values = {
        "session": answer["session_id"],
        "owner": envelope["owner"],
        "format": envelope["format"],
        "version": envelope["version"],
        "saved": envelope["saved_at"],
        "event": data.get("seq"),
        "summarised": f"{data['summarised_turns']} turns" if data.get("summarised_turns") else None,
    }
    for line in facts(values):
        click.echo(line)
    tools = data.get("tools") or {}
    for name, count in (tools.get("calls") or {}).items():
        click.echo(f"  tool         {one_line(name)}, {count} times")
    for one in tools.get("met") or ():
        named = one.get("note_id") or one.get("document_id")
        click.echo(f"  met          {one_line(str(named))}  {one_line(one['title'], 80)}")
    if data.get("summary"):
        click.echo(f"\n{printable(data['summary'])}")


@sessions.command()
@click.argument("session_ids", nargs=-1, required=True)
@address_options
def forget(session_ids: tuple[str, ...], **where: Any) -> None:
    """Have the session store forget conversations. What is not there is forgotten already.

    The chats themselves stay (memex chat delete removes one): the next turn puts its checkpoint together anew.
    """
    forgotten = []
    with connect(**where) as client:
        for session_id in session_ids:
            try:
                client.delete(_path(session_id))
                forgotten.append(session_id)
            except CliError as error:
                if error.code != "not_found":
                    raise
                click.echo(f"There is no conversation {one_line(session_id)}.", err=True)
    if where["as_json"]:
        print_json({"forgotten": forgotten})


@sessions.command(short_help="Copy conversations to another store.")
@click.option("--from", "source", type=click.Choice(STORES), required=True, help="The store to copy from.")
@click.option("--to", "target", type=click.Choice(STORES), required=True, help="The store to copy to.")
@click.option("--workspace", default="demo", show_default=True, help="Whose conversations.")
@click.option("--cursor", default="", help="Go on where an earlier copying stopped, as it said.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting of the stores; repeatable.")
@data_option
@json_option
def copy(
    source: str, target: str, workspace: str, cursor: str, settings: tuple[str, ...], data: Path, as_json: bool
) -> None:
    """Copy a workspace's conversations from one session store to another, each one verified.

    Run it before SESSIONS is switched and once more after: what is in the other store and newer stays, what is there
    already is passed over, so it may be stopped and run again at any time. It works on the stores themselves: on those
    of the Memex that runs here, or, where GOOGLE_CLOUD_PROJECT is set, on those that the environment names.

    \b
    Exit codes: 0 all are there, 1 some could not be copied or a store is away, 2 wrong usage, 130 stopped.
    """
    if source == target:
        raise click.UsageError("--from and --to name the same store.")
    from infra.cli.copying import Copying, settings_of

    chosen = settings_of(data, settings)
    code = Copying(chosen, workspace, as_json=as_json).run(source, target, cursor)
    sys.exit(code)


def _say_store(store: dict[str, Any]) -> None:
    retention = store["retention"]
    click.echo(f"{styled(one_line(store['kind']), bold=True)}  {one_line(store['where'])}")
    click.echo(f"  {one_line(store['about'])}")
    expiry = f"{one_line(retention['who'])} expires conversations. " if retention["active"] else ""
    click.echo(f"  {expiry}{one_line(retention['how'])}\n")


def _path(session_id: str) -> str:
    return f"{CHECKPOINTS}/{quote(session_id, safe='')}"
