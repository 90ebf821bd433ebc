"""`memex workspace`: make, list, show and delete workspaces, and say who may come in."""

from __future__ import annotations

from typing import Any

import click

from infra.cli.commands.workspace_members import members
from infra.cli.connect import connect
from infra.cli.errors import CliError
from infra.cli.options import address_options
from infra.cli.terminal import facts, minute, one_line, print_json, table
from infra.cli.workspaces import place_of, removed, states, watch

_DELETING = """NAME must be typed once more, or given again with --yes.

    It begins after seven days, and until then `memex workspace restore` undoes it; --now begins at once, and there is
    no way back then. From now on nothing can be written into it, and what runs there is ended.
    """


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def workspace() -> None:
    """Make, list, show and delete workspaces, and say who may come in."""


workspace.add_command(members)


@workspace.command()
@click.argument("name")
@click.option("--owner", metavar="EMAIL", help="The first owner, who signs in with this address.")
@click.option("--title", default="", help="What people call it.")
@click.option("--plan", type=click.Choice(["free", "pro"]), default="free", show_default=True, help="Its plan.")
@address_options
def create(name: str, owner: str | None, title: str, plan: str, **where: Any) -> None:
    """Make the workspace NAME; this takes an operator's token."""
    with connect(**where) as client:
        body = {"id": name, "name": title, "plan": plan, "owner": owner}
        answer = client.post("/api/v1/workspaces", body)
    print_json(answer) if where["as_json"] else click.echo(one_line(answer["workspace"]["id"]))


@workspace.command(name="list")
@address_options
def list_workspaces(**where: Any) -> None:
    """List the workspaces that you may come into; with an operator's token all there are."""
    with connect(**where) as client:
        answer = client.get("/api/v1/workspaces")
    if where["as_json"]:
        print_json(answer)
        return
    rows = [
        (one_line(one["id"]), one_line(one["name"]), one_line(one["plan"]), one_line(one["role"] or ""), _state(one))
        for one in answer["workspaces"]
    ]
    table(rows, ("workspace", "name", "plan", "role", ""), none="There are no workspaces.")


@workspace.command()
@click.argument("name", required=False)
@address_options
def show(name: str | None, **where: Any) -> None:
    """Show your workspace; an operator names one."""
    with connect(**where) as client:
        answer = client.get(place_of(client, name))
    if where["as_json"]:
        print_json(answer)
        return
    found = answer["workspace"]
    off = ", ".join(feature for feature, on in found["features"].items() if not on)
    values = {"name": found["name"], "plan": found["plan"], "switched off": off}
    click.echo("\n".join((one_line(found["id"]), *facts({**values, "made": minute(found["created_at"] or "")}))))
    if found["deletion"]:
        click.echo("\n".join(states(found["deletion"])))


@workspace.command(help=f"Delete the workspace NAME with everything in it. {_DELETING}")
@click.argument("name")
@click.option("--now", is_flag=True, help="Begin at once, and show how it goes on until nothing is left.")
@click.option("--yes", is_flag=True, help="Do not ask for the name.")
@address_options
def delete(name: str, now: bool, yes: bool, **where: Any) -> None:
    with connect(**where) as client:
        place = place_of(client, name)
        if not yes:
            _ask_for(name, now=now)
        deletion = client.delete(place, {"now": now})["deletion"]
        if now:
            deletion = watch(client, place, deletion, quiet=where["as_json"])
    if where["as_json"]:
        print_json({"deletion": deletion})
    elif deletion is None or deletion["status"] == "completed":
        click.echo(removed(name, deletion))
    else:
        begins = minute(deletion["begins_at"])
        click.echo(f"{one_line(name)} is closed, and deleted after {begins} (UTC).")
        click.echo(f"Until then it comes back with: memex workspace restore {one_line(name)}", err=True)


@workspace.command()
@click.argument("name")
@address_options
def restore(name: str, **where: Any) -> None:
    """Undo the deletion of NAME while it has not begun. What was cancelled by it stays cancelled."""
    with connect(**where) as client:
        answer = client.post(f"{place_of(client, name)}/restore")
    print_json(answer) if where["as_json"] else click.echo(f"{one_line(name)} is as it was.")


def _ask_for(name: str, *, now: bool) -> None:
    how = "at once, and there is no way back" if now else "after seven days"
    click.echo(f"Everything in {one_line(name)} is deleted {how}.", err=True)
    if click.prompt("Type its name", default="", show_default=False, err=True).strip() != name:
        raise CliError("That is not its name: nothing was done.", code="not_confirmed")


def _state(entry: dict[str, Any]) -> str:
    if entry["deletion"] == "marked":
        return f"deleted after {minute(entry['begins_at'])}"
    return "is being deleted" if entry["deletion"] == "running" else ""
