"""`memex workspace members`: who may come into your workspace."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import minute, one_line, print_json, table

_PATH = "/api/v1/workspace/members"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def members() -> None:
    """List people, let them in, give them another role, let them in no more."""


@members.command(name="list")
@address_options
def list_members(**where: Any) -> None:
    """List who may come in."""
    with connect(**where) as client:
        answer = client.get(_PATH)
    if where["as_json"]:
        print_json(answer)
        return
    rows = [(one_line(one["email"]), one["role"], minute(one["added_at"])) for one in answer["members"]]
    table(rows, ("email", "role", "since"), none="There are no members: only tokens of the workspace come in.")


@members.command()
@click.argument("email")
@click.option(
    "--role",
    type=click.Choice(["reader", "member", "owner"]),
    required=True,
    help="A reader reads; a member changes and spends; an owner decides about the workspace itself.",
)
@address_options
def add(email: str, role: str, **where: Any) -> None:
    """Let the person in who signs in as EMAIL, or give them another role."""
    with connect(**where) as client:
        answer = client.put_json(f"{_PATH}/{quote(email, safe='')}", {"role": role})
    print_json(answer) if where["as_json"] else click.echo(one_line(answer["member"]["email"]))


@members.command()
@click.argument("email")
@address_options
def remove(email: str, **where: Any) -> None:
    """Let EMAIL in no more."""
    with connect(**where) as client:
        client.delete(f"{_PATH}/{quote(email, safe='')}")
    print_json({"removed": email}) if where["as_json"] else click.echo(f"{one_line(email)} comes in no more.")
