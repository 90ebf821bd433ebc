"""`memex bill`: what was used so far, and what it would have cost in production."""

from __future__ import annotations

from typing import Any

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import print_json


@click.command()
@address_options
def bill(**where: Any) -> None:
    """What the local cloud was used for since its start, priced as in production, by service."""
    with connect(**where) as client:
        answer = client.get("/_cloud/bill")
    if where["as_json"]:
        print_json(answer)
        return
    from infra.cli.billing import show_bill

    show_bill(answer)
