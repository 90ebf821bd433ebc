"""`memex demo`: the whole of Memex in a few seconds."""

from __future__ import annotations

import click

from infra.cli.options import Seconds, json_option


@click.command()
@click.option(
    "--timeout",
    type=Seconds(1),
    default=60.0,
    show_default=True,
    help="Give up after so many seconds.",
)
@json_option
def demo(timeout: float, as_json: bool) -> None:
    """Put twenty sample notes into a throw-away local cloud, have one researched, chat about it, show the bill.

    Nothing is kept and nothing leaves this machine: the research model is emulated, and says so in its report.
    With --json one object is printed: {"notes", "operation", "events", "report", "chat", "bill", "seconds"}.
    """
    from infra.cli.demo.run import run_demo

    run_demo(limit_seconds=timeout, as_json=as_json)
