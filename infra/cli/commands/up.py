"""`memex up`: the local cloud in the foreground, until it is told to stop."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from infra.cli.address import forget, leave
from infra.cli.greeting import Greeting, greet, is_emulated, is_logged_in
from infra.cli.models import CHOICES, described, playing
from infra.cli.options import Seconds, data_option, json_option
from infra.cli.stopping import Stopped, on_stop
from infra.cli.terminal import is_terminal, print_json

HTTP_PORT = 8420
GRPC_PORT = 8421
RUN_SECONDS = 20.0
PACE_SECONDS = 0.03


@click.command()
@click.option("--ephemeral", is_flag=True, help="Keep nothing: the data is gone when it stops.")
@data_option
@click.option("--http-port", type=click.IntRange(0, 65535), default=HTTP_PORT, show_default=True, help="0: a free one.")
@click.option("--grpc-port", type=click.IntRange(0, 65535), default=GRPC_PORT, show_default=True, help="0: a free one.")
@click.option("--no-functions", is_flag=True, help="Only the emulated services, without Memex's functions.")
@click.option(
    "--run-seconds",
    type=Seconds(0, min_open=True),
    default=RUN_SECONDS,
    show_default=True,
    help="How long an emulated research run takes.",
)
@click.option(
    "--pace-seconds",
    type=Seconds(0),
    default=PACE_SECONDS,
    show_default=True,
    help="How long an emulated model pauses between two pieces of its text.",
)
@click.option(
    "--model",
    type=click.Choice(CHOICES),
    help="Who answers in the chat: the emulated model, the small real one of make local-model, or Ollama. "
    "Else a key of Gemini's decides.",
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting of the functions; repeatable.")
@json_option
@click.pass_context
def up(
    context: click.Context,
    /,
    ephemeral: bool,
    data: Path,
    as_json: bool,
    model: str | None,
    settings: tuple[str, ...],
    **cloud: Any,
) -> None:
    """Run the local cloud: the page, the API and the emulated services, until ctrl-C or SIGTERM.

    What you write is kept in the data directory; research that was under way when it stopped goes on at the next
    start. The address and the token are printed, and left in the data directory for the other commands.

    With --json one line {"http", "grpc", "token"} is printed when everything is ready. A stop while it still starts
    prints nothing and ends with 0 too.
    """
    if ephemeral and context.get_parameter_source("data") is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError("--ephemeral keeps nothing; it cannot be given together with --data.")
    from infra.cli.local import running

    stop = threading.Event()
    kept = None if ephemeral else data
    functions = "none" if cloud.pop("no_functions") else "process"
    cloud |= {"functions": functions, "stopping": stop.is_set}
    wanted = _pairs(settings)
    with (
        suppress(Stopped),
        on_stop(stop),
        playing(model, stop) as played,
        running(kept, env={**played, **wanted}, **cloud) as address,
    ):
        left = leave(kept, address) if kept else None
        try:
            if as_json:
                print_json(address.as_dict())
            else:
                found = ({**played, **wanted}, os.environ)
                greeting = Greeting(is_emulated(*found), is_logged_in(*found), described(*found))
                greet(address, kept, greeting)
            stop.wait()
        finally:
            if left is not None:
                forget(left)
            if is_terminal() and not as_json:
                click.echo("\nStopping.")


def _pairs(settings: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{setting!r} is not NAME=VALUE.", param_hint="--set")
        pairs[name] = value
    if pairs:
        _refuse_unknown(pairs)
    return pairs


def _refuse_unknown(pairs: Mapping[str, str]) -> None:
    from difflib import get_close_matches

    from shared.config import names

    for name in pairs:
        if name not in names():
            close = get_close_matches(name.upper(), names(), 1)
            hint = f" Did you mean {close[0]}?" if close else " docs/settings.md has all of them."
            raise click.BadParameter(f"There is no setting {name!r}.{hint}", param_hint="--set")
