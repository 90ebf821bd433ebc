"""`memex whoami`: who the token makes its bearer."""

from __future__ import annotations

from typing import Any

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import facts, print_json


@click.command()
@address_options
def whoami(**where: Any) -> None:
    """The workspace, the role and the name in logs of the token in use."""
    with connect(**where) as client:
        answer = client.get("/api/v1/me")
        address = client.address.http
    if where["as_json"]:
        print_json(answer)
        return
    values = {name: answer[name] for name in ("workspace", "role", "name")}
    click.echo("\n".join(facts({"memex": address, **values, "valid until": answer["expires_at"]})))
