"""`memex import`: what memex export wrote, into a workspace."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import one_line, print_json

_SECONDS = 120.0


@click.command(name="import")
@click.argument("source", metavar="FILE", type=click.Path(exists=True, path_type=Path))
@click.option("--merge", is_flag=True, help="Into a workspace that has something: what is there stays as it is.")
@click.option("--dry-run", is_flag=True, help="Only say what would become of everything.")
@click.option("--with-access", "access", is_flag=True, help="Take members in too.")
@click.option("--no-verify", is_flag=True, help="Do not compare a second export with the first at the end.")
@address_options
def import_(source: Path, merge: bool, dry_run: bool, access: bool, no_verify: bool, **where: Any) -> None:
    """Take in what memex export wrote, a file or a folder, into the workspace of the token.

    Nothing that is there is written over, and nothing begins: work that was under way is in an export as ended. It may
    be broken off and run again at any time. It takes the role owner.

    \b
    Exit codes: 0 all is there, 1 something differs or it could not be done, 2 wrong usage, 130 stopped.
    """
    from infra.cli.portability.reading import Reader
    from infra.cli.portability.taking_in import How, TakingIn, told
    from infra.cli.portability.telling import Steps
    from infra.cli.stopping import INTERRUPTED, Stopped, on_stop

    stop, steps = threading.Event(), Steps(quiet=where["as_json"])
    how = How(merge, dry_run, access, verify=not no_verify)
    with Reader(source) as reader, connect(**where, timeout_seconds=_SECONDS) as client, on_stop(stop):
        try:
            made = TakingIn(client, reader, how, steps, stop).run()
        except Stopped:
            steps.done("Stopped. Run it again: what is there already is passed over.")
            sys.exit(INTERRUPTED)
    if where["as_json"]:
        print_json(made.summary())
    else:
        for line in told(made):
            click.echo(one_line(line) if not line.startswith("  ") else f"  {one_line(line)}")
    sys.exit(0 if made.good else 1)
