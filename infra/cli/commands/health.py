"""`memex health`: whether the functions that people call have what they need."""

from __future__ import annotations

from typing import Any

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import print_json, table

_PATHS = {"api": "/api/v1/_health", "chat": "/api/v1/chat/_health"}


@click.command()
@address_options
def health(**where: Any) -> None:
    """What the functions need, and whether it is there: Firestore, credentials, models, files.

    Nothing is asked that is paid for. Exit code 1 when something fails; why is in the function's log.
    """
    with connect(**where) as client:
        found = {name: client.health(path) for name, path in _PATHS.items()}
    failing = any(answer["status"] != "ok" for answer in found.values())
    if where["as_json"]:
        print_json(found)
    else:
        rows = [
            (name, check["name"], check["status"], f"{check['milliseconds']} ms")
            for name, answer in found.items()
            for check in answer["checks"]
        ]
        table(rows, ("function", "needs", "status", "took"))
    if failing:
        raise click.exceptions.Exit(1)
