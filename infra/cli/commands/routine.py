"""`memex routine`: the digest or the review, now."""

from __future__ import annotations

from typing import Any

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import one_line, print_json

_SECONDS = 360.0
"""A model may look things up before it writes."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def routine() -> None:
    """What Memex writes by itself, by day and by week."""


@routine.command()
@click.argument("kind", type=click.Choice(("digest", "review")))
@address_options
def run(kind: str, **where: Any) -> None:
    """Write the digest of the day, or the review of the week, so far, and print the note's id.

    There is one note for each day and week: a second run brings it up to date. What it would change waits as an
    approval.
    """
    with connect(**where, timeout_seconds=_SECONDS) as client:
        answer = client.post(f"/api/v1/routines/{kind}/run")
    if where["as_json"]:
        print_json(answer)
        return
    click.echo(one_line(answer["note_id"]) if answer["note_id"] else one_line(answer["message"]))
    if answer["note_id"] and not answer["created"]:
        click.echo(one_line(answer["message"]), err=True)
    if answer["approvals"]:
        click.echo(f"{len(answer['approvals'])} changes are proposed: memex approval list", err=True)
