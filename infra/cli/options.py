"""The options that commands have in common."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class Seconds(click.FloatRange):
    """A finite number of seconds within a range; nan and inf are no time to wait."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))
        if not math.isfinite(seconds):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return seconds


def json_option(command: Decorated) -> Decorated:
    """--json, given to the command as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, one value a line.")(command)


def data_option(command: Decorated) -> Decorated:
    """--data, given to the command as the Path `data`."""
    return click.option(
        "--data",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path(".memex"),
        envvar="MEMEX_DATA",
        show_default=True,
        help="The data directory of `memex up`.  [env: MEMEX_DATA]",
    )(command)


def address_options(command: Decorated) -> Decorated:
    """--url, --token and --data: which Memex is meant."""
    url = click.option("--url", envvar="MEMEX_URL", help="Address of another Memex.  [env: MEMEX_URL]")
    token = click.option("--token", envvar="MEMEX_TOKEN", help="Its token.  [env: MEMEX_TOKEN]")
    return url(token(data_option(json_option(command))))
