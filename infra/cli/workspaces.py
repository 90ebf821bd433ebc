"""What the commands of workspaces share: where one is addressed, and how its deletion goes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from infra.cli.errors import CliError
from infra.cli.terminal import facts, is_terminal, one_line, printable

if TYPE_CHECKING:
    from infra.cli.client import ApiClient

_PAUSE_SECONDS = 1.0
_WATCHED_SECONDS = 3_600.0
_OUT = ("forbidden", "unauthorized")


def place_of(client: ApiClient, name: str | None) -> str:
    """The path of a workspace: an operator names any, everyone else has the one they are in. Raises CliError."""
    me = client.get("/api/v1/me")
    if me["role"] == "operator":
        if name is None:
            raise CliError("Name a workspace: an operator is in none.", code="no_workspace")
        return f"/api/v1/workspaces/{quote(name, safe='')}"
    if name not in (None, me["workspace"]):
        message = f"You are in the workspace {one_line(me['workspace'])}, and not in {one_line(name or '')}."
        raise CliError(f"{message} MEMEX_WORKSPACE, or another token, says which is meant.", code="other_workspace")
    return "/api/v1/workspace"


def watch(
    client: ApiClient, place: str, deletion: dict[str, Any], *, quiet: bool, limit_seconds: float = _WATCHED_SECONDS
) -> dict[str, Any] | None:
    """The deletion at its end, or as it is when the time is over; None where its end took the caller's membership."""
    until = client.clock.now().timestamp() + limit_seconds
    told = ""
    while deletion["status"] != "completed" and client.clock.now().timestamp() < until:
        line = " · ".join(_counts(deletion))
        if not quiet and line != told:
            _tell(line)
            told = line
        client.clock.sleep(_PAUSE_SECONDS)
        try:
            deletion = client.get(place)["workspace"]["deletion"]
        except CliError as error:
            if error.code in _OUT and deletion["status"] == "running":
                return None  # members are the last to go
            raise
    if not quiet and is_terminal():
        click.echo(err=True)
    return deletion


def removed(name: str, deletion: dict[str, Any] | None) -> str:
    """The sentence at the end."""
    if deletion is None:
        return f"{one_line(name)} is gone, and your membership with it."
    counts = f"{deletion['documents']:,} documents, {deletion['files']:,} files"
    return f"{one_line(name)} is gone: {counts}."


def states(deletion: dict[str, Any]) -> Iterator[str]:
    """How far a deletion is, a line each."""
    names = ("status", "phase", "begins_at", "finished_at", "stopped", "documents", "files", "sessions")
    yield "its deletion"
    yield from facts({name.partition("_")[0]: deletion[name] for name in names})
    yield from (f"  ! {printable(problem)}" for problem in deletion["problems"])


def _counts(deletion: dict[str, Any]) -> Iterator[str]:
    yield one_line(deletion["phase"])
    for name in ("stopped", "documents", "files", "sessions"):
        if deletion[name]:
            yield f"{deletion[name]:,} {name}"
    if deletion["problems"]:
        yield one_line(deletion["problems"][-1], 80)


def _tell(line: str) -> None:
    if is_terminal():
        click.echo(f"\r\x1b[K{line}", nl=False, err=True)
    else:
        click.echo(line, err=True)
