"""`memex pause` and `memex resume`: the switch for spending."""

from __future__ import annotations

from typing import Any

import click

from infra.cli.connect import connect
from infra.cli.errors import CliError
from infra.cli.options import address_options
from infra.cli.terminal import facts, print_json

_PATH = "/api/v1/spending"


@click.command()
@click.option("--all", "whole", is_flag=True, help="Of the whole project, with an operator's token.")
@click.option("--reason", default="", metavar="TEXT", help="Why; shown to whoever is refused.")
@address_options
def pause(whole: bool, reason: str, **where: Any) -> None:
    """Pause all spending: no model, search or research run that is paid for is begun from then on.

    Nothing is lost: research, runs, and the work of the memory wait, and go on after `memex resume`; the chat says that
    spending is paused. What is under way ends its present call. Every instance knows it within seconds. Without a
    Memex that answers, docs/operations.md says how to do it in Google's console.
    """
    _switch(where, whole=whole, body={"paused": True, "reason": reason})


@click.command()
@click.option("--all", "whole", is_flag=True, help="Of the whole project, with an operator's token.")
@address_options
def resume(whole: bool, **where: Any) -> None:
    """Let spending go on. What has waited is taken up by the next sweep, within some five minutes."""
    _switch(where, whole=whole, body={"paused": False})


def _switch(where: dict[str, Any], *, whole: bool, body: dict[str, Any]) -> None:
    with connect(**where) as client:
        operator = client.get("/api/v1/me")["role"] == "operator"
        if whole and not operator:
            raise CliError("--all takes an operator's token: give it by --token or MEMEX_TOKEN.", code="forbidden")
        if operator and not whole:
            raise CliError("An operator's token is of no workspace: say --all.", code="usage")
        answer = client.replace(_PATH, body)
    if where["as_json"]:
        print_json(answer)
        return
    click.echo("\n".join(facts(_shown(answer))))
    if not body["paused"] and answer["paused"]:
        click.echo("It is still paused in the whole project: `memex resume --all` ends that.")


def _shown(answer: dict[str, Any]) -> dict[str, str]:
    shown = {"spending": "paused" if answer["paused"] else "goes on"}
    for name in ("workspace", "project"):
        switch = answer[name]
        if switch is not None and switch["paused"]:
            why = f": {switch['reason']}" if switch["reason"] else ""
            shown[name] = f"paused by {switch['by'] or 'hand'}{why}"
    return shown | {"known everywhere": f"within {answer['within_seconds']:g} seconds"}
