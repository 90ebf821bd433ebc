"""`memex token`: static tokens of the API, made, rotated and ended. Of each only a hash is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, TypeVar

import click

from infra.cli.errors import CliError
from infra.cli.options import data_option, json_option
from infra.cli.terminal import facts, one_line, print_json, table

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
OVERLAP_DAYS = 7
_ROLES = ("reader", "member", "owner", "operator")


class Moment(click.ParamType[datetime]):
    """A moment to come: a day, which is its first instant (UTC), or RFC 3339."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        try:
            moment = datetime.fromisoformat(value)
            return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).astimezone(timezone.utc)
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is no moment such as 2027-01-01 or 2027-01-01T12:00:00Z.", param, ctx)


def _store_options(command: Decorated) -> Decorated:
    """--project, --secret, --print, --data and --json: where the tokens lie."""
    options = (
        click.option("--project", help="In Secret Manager of this project.  [else: in --data]"),
        click.option("--secret", default="API_TOKENS", show_default=True, help="The secret's name there."),
        click.option("--print", "printing", is_flag=True, help="From the variable API_TOKENS; print its new value."),
        click.option("--endpoint", hidden=True, default=""),
        data_option,
        json_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


_UNTIL = click.option("--valid-until", type=Moment(), metavar="MOMENT", help="When it ends.  [default: never]")
_DAYS = click.option(
    "--days",
    type=click.IntRange(0, 3650),
    default=OVERLAP_DAYS,
    show_default=True,
    help="How long the old one is good.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def token() -> None:
    """Make, rotate, list and end static tokens of the API.

    They are those of `memex up` in the data directory; with --project those of a deployed Memex. A token is shown once:
    only its hash is kept.
    """


@token.command()
@click.option("--workspace", help="Whose it is.  [default: demo, the local cloud's]")
@click.option("--role", type=click.Choice(_ROLES), default="owner", show_default=True, help="What it may do.")
@_UNTIL
@_store_options
def new(workspace: str | None, role: str, valid_until: datetime | None, as_json: bool, **where: Any) -> None:
    """Make a token. An operator's is of no workspace: it makes workspaces and switches spending."""
    from infra.cli.granting import fresh
    from shared.contracts.members import Role
    from shared.ids import SAFE_FORM, is_safe

    _refuse_past(valid_until)
    if role == Role.OPERATOR and workspace:
        raise click.UsageError("An operator is in no workspace: leave --workspace out.")
    if role != Role.OPERATOR and not workspace and (where["project"] or where["printing"]):
        raise click.UsageError("Say whose it is: --workspace NAME.")
    whose = "" if role == Role.OPERATOR else workspace or "demo"
    if whose and not is_safe(whose):
        raise click.UsageError(f"A workspace is {SAFE_FORM}")
    made = fresh(whose, Role(role), valid_until)
    said = _changed(where, lambda grants: (*grants, made.grant))
    _tell({"token": made.token, **_facts(made.grant), **said}, as_json)


@token.command()
@click.argument("name")
@_DAYS
@_UNTIL
@_store_options
def rotate(name: str, days: int, valid_until: datetime | None, as_json: bool, **where: Any) -> None:
    """Make a second token like NAME, which ends some days later: meanwhile both are good."""
    from infra.cli.granting import Grants, Made, rotated

    _refuse_past(valid_until)
    made: list[Made] = []

    def change(grants: Grants) -> Grants:
        after, one = rotated(grants, name, _now() + timedelta(days=days), valid_until)
        made.append(one)
        return after

    said = _changed(where, change)
    _tell({"token": made[0].token, **_facts(made[0].grant), "old_name": name, "old_days": days, **said}, as_json)


@token.command(name="list")
@_store_options
def list_tokens(as_json: bool, **where: Any) -> None:
    """List them: what they are called in logs, what they may do, when they end."""
    from infra.cli.token_stores import grants_in

    now = _now()
    found = [{**_facts(grant), "ended": grant.ended(now)} for grant in grants_in(_store(**where))]
    if as_json:
        print_json({"tokens": found})
        return
    rows = [
        (one["name"], one["workspace"] or "—", one["role"], _ends(one["valid_until"], one["ended"])) for one in found
    ]
    table(rows, ("name", "workspace", "role", "valid until (UTC)"), none="No tokens but that of memex up.")


@token.command()
@click.argument("name")
@_DAYS
@_store_options
def retire(name: str, days: int, as_json: bool, **where: Any) -> None:
    """Let the token NAME end some days from now."""
    from infra.cli.granting import retired

    ends = _now() + timedelta(days=days)
    said = _changed(where, lambda grants: retired(grants, name, ends))
    _tell({"name": name, "days": days, **said}, as_json, f"{one_line(name)} ends {_in_days(days)}.")


@token.command()
@click.argument("name")
@_store_options
def revoke(name: str, as_json: bool, **where: Any) -> None:
    """Take the token NAME out at once."""
    from infra.cli.granting import revoked

    said = _changed(where, lambda grants: revoked(grants, name))
    _tell({"name": name, "revoked": True, **said}, as_json, f"{one_line(name)} is out.")


def _changed(where: Mapping[str, Any], change: Callable[[Any], Any]) -> Mapping[str, str]:
    from infra.cli.granting import kept
    from infra.cli.token_stores import changed

    return changed(_store(**where), lambda grants: kept(change(grants), _now()))


def _store(project: str | None, secret: str, printing: bool, endpoint: str, data: Path) -> Any:
    from infra.cli.token_stores import InData, InVariable

    if project and printing:
        raise click.UsageError("--project and --print are two places: give one of them.")
    if printing:
        return InVariable()
    if not project:
        return InData(data)
    from infra.cli.secret_manager import ADDRESS, InSecret
    from shared.gateway.default_token import DefaultToken

    return InSecret(project, secret, DefaultToken(), endpoint or ADDRESS)


def _facts(grant: Any) -> dict[str, Any]:
    until = grant.valid_until.strftime("%Y-%m-%dT%H:%M:%SZ") if grant.valid_until else None
    return {"name": grant.name, "workspace": grant.workspace, "role": str(grant.role), "valid_until": until}


def _ends(until: str | None, ended: bool) -> str:
    return f"{until[:16].replace('T', ' ')}{', ended' if ended else ''}" if until else "—"


def _in_days(days: int) -> str:
    return "now" if not days else f"in {days} day{'' if days == 1 else 's'} at the latest"


def _tell(values: dict[str, Any], as_json: bool, line: str = "") -> None:
    if as_json:
        print_json(values)
        return
    note, value = values.pop("note", None), values.pop("API_TOKENS", None)
    click.echo(line or "\n".join(facts({name.replace("_", " "): said for name, said in values.items()})))
    if "token" in values:
        click.echo("\nThis is the only time that the token is shown.")
    if value is not None:
        click.echo(f"\nAPI_TOKENS={value}")
    if note:
        click.echo(f"\n{note}", err=True)


def _refuse_past(moment: datetime | None) -> None:
    if moment is not None and moment <= _now():
        raise CliError("--valid-until has passed already.", code="invalid_input")


def _now() -> datetime:
    from shared.clock import SystemClock

    return SystemClock().now()
