"""`memex usage`: what the workspace has used in a month, next to its quotas."""

from __future__ import annotations

from typing import Any

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import print_json


@click.command()
@click.option("--month", metavar="YYYY-MM", help="Of this month (UTC) instead of the present one.")
@address_options
def usage(month: str | None, **where: Any) -> None:
    """What chat, research and runs have used in a month, at list price, and how much of each quota is left.

    Work is counted when it has ended. What work under way may still use is set aside.
    """
    with connect(**where) as client:
        answer = client.get("/api/v1/usage", month=month)
    if where["as_json"]:
        print_json(answer)
        return
    from infra.cli.using import show_usage

    show_usage(answer)
