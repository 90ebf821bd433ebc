"""`memex approval`: changes that were proposed, and wait."""

from __future__ import annotations

import json
import sys
from typing import Any
from urllib.parse import quote

import click

from infra.cli.client import ApiClient
from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import minute, one_line, print_json, printable, styled, table

_DECIDED = {"approve": "approved", "reject": "rejected"}


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def approval() -> None:
    """List, show, approve and reject proposed changes."""


@approval.command(name="list")
@click.option("--status", default="pending", show_default=True, help="pending, approved, rejected, stale, failed, all.")
@click.option("--limit", type=click.IntRange(1, 200), default=50, show_default=True, help="How many at most.")
@address_options
def list_approvals(status: str, limit: int, **where: Any) -> None:
    """List them, newest first, and then the research plans that wait."""
    with connect(**where) as client:
        answer = client.get("/api/v1/approvals", status=None if status == "all" else status, limit=limit)
        plans = _plans(client, limit) if status in ("pending", "all") and not where["as_json"] else []
    if where["as_json"]:
        print_json(answer)
        return
    rows = [
        (one_line(item["id"]), minute(item["created_at"]), item["status"], one_line(item["title"], 80))
        for item in answer["approvals"]
    ]
    none = "Nothing waits for your word." if status == "pending" else "No proposals."
    table(rows, ("id", "proposed (UTC)", "status", "what would happen"), none=none if not plans else "")
    for item in plans:
        title = one_line(item["title"] or item["source_note_id"], 60)
        click.echo(f"Research plan: {title}  memex plan show {one_line(item['id'])}")


@approval.command()
@click.argument("approval_id")
@address_options
def show(approval_id: str, **where: Any) -> None:
    """Show what would change."""
    with connect(**where) as client:
        answer = client.get(_path(approval_id))
    if where["as_json"]:
        print_json(answer)
        return
    item = answer["approval"]
    click.echo(styled(one_line(item["title"]), bold=True))
    for name in ("id", "status", "tool", "target", "proposed_by", "reason"):
        if item.get(name):
            click.echo(f"{name.replace('_', ' ')}: {one_line(str(item[name]))}")
    for name in dict.fromkeys((*item["before"], *item["after"])):
        click.echo(f"\n{styled(one_line(name), bold=True)}")
        for mark, side in (("-", item["before"]), ("+", item["after"])):
            if name in side:
                click.echo("\n".join(f"{mark} {line}" for line in _text(side[name]).split("\n")))
    if item.get("error"):
        click.echo(f"\n{one_line(item['error']['message'])}")


@approval.command()
@click.argument("approval_ids", nargs=-1, required=True)
@address_options
def approve(approval_ids: tuple[str, ...], **where: Any) -> None:
    """Make the changes, exactly as shown. The exit code is 1 when one could not be made."""
    _decide(approval_ids, "approve", where)


@approval.command()
@click.argument("approval_ids", nargs=-1, required=True)
@address_options
def reject(approval_ids: tuple[str, ...], **where: Any) -> None:
    """Decide against the changes. The exit code is 1 when one was made before."""
    _decide(approval_ids, "reject", where)


def _plans(client: ApiClient, limit: int) -> list[dict[str, Any]]:
    return list(client.get("/api/v1/operations", status="awaiting_approval", limit=limit)["operations"])


def _decide(approval_ids: tuple[str, ...], verb: str, where: dict[str, Any]) -> None:
    failed = False
    with connect(**where) as client:
        for each in approval_ids:
            answer = client.post(f"{_path(each)}/{verb}")
            failed = failed or answer["approval"]["status"] != _DECIDED[verb]
            if where["as_json"]:
                print_json(answer)
            else:
                click.echo(f"{one_line(each)}: {one_line(answer['message'])}")
    if failed:
        sys.exit(1)


def _text(value: Any) -> str:
    return printable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1))


def _path(approval_id: str) -> str:
    return f"/api/v1/approvals/{quote(approval_id, safe='')}"
