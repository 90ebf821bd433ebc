"""`memex export`: a whole workspace, to keep or to take elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import one_line, print_json

_SECONDS = 120.0
_OTHER_ARCHIVES = (".zip", ".7z", ".gz", ".bz2", ".xz", ".zst", ".tbz", ".txz")


@click.command()
@click.option(
    "--to",
    "to",
    type=click.Path(path_type=Path),
    help="A folder, or a file that ends in .tar, .tar.gz or .tgz.  [default: memex-{workspace}-{time}.tar.gz]",
)
@address_options
def export(to: Path | None, **where: Any) -> None:
    """Write a whole workspace into a file: every document as a line of JSON, and the files that were put in.

    It shows one moment; work that was under way then is in it as ended. It takes the role owner. docs/data.md describes
    the format, and memex import takes it in.

    \b
      memex export
      memex export --to backup.tar
    """
    from infra.cli.portability.taking_out import EXPORT
    from infra.cli.portability.taking_out import export as take_out
    from infra.cli.portability.telling import Steps, size_of
    from infra.cli.portability.writing import TARS

    if to is not None and to.name.endswith(_OTHER_ARCHIVES) and not to.name.endswith(TARS):
        raise click.UsageError("--to is a folder, or a file that ends in .tar, .tar.gz or .tgz.")

    steps = Steps(quiet=where["as_json"])
    with connect(**where, timeout_seconds=_SECONDS) as client:
        if to is None:
            begun = client.get(EXPORT)
            moment = begun["at"][:19].replace("-", "").replace(":", "").replace("T", "-")
            to = Path(f"memex-{begun['workspace']}-{moment}.tar.gz")
        made = take_out(client, to, steps)
    summary = made.summary()
    if where["as_json"]:
        print_json({"to": str(to), **summary})
        return
    for name in summary["unknown"]:
        click.echo(f"memex: {one_line(name)} stays behind: this version knows no such collection.", err=True)
    for name in summary["gone"]:
        click.echo(f"memex: {one_line(name)} was deleted meanwhile.", err=True)
    count = sum(summary["documents"].values())
    click.echo(f"{to}: {count:,} documents, {summary['objects']:,} files of {size_of(summary['object_bytes'])}")
