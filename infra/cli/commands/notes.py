"""`memex notes`: all notes as a folder of Markdown, out and in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import one_line, print_json

_SECONDS = 120.0


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def notes() -> None:
    """Write all notes into a folder of Markdown files, or take such a folder in, an Obsidian vault too."""


@notes.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@address_options
def export(folder: Path, **where: Any) -> None:
    """Write every note into FOLDER as a Markdown file with front matter, as Obsidian reads them.

    Run it again at any time: files that somebody has changed meanwhile stay as they are, and those that somebody has
    moved within the folder are found. docs/data.md says what stands in a file.
    """
    from infra.cli.portability.telling import Steps
    from infra.cli.vault.writing import export as write

    steps = Steps(quiet=where["as_json"])
    with connect(**where, timeout_seconds=_SECONDS) as client:
        written = write(client, folder, steps)
    if where["as_json"]:
        print_json(written.summary())
        return
    steps.clear()
    for path in written.changed_there:
        click.echo(f"changed there, and left: {one_line(path)}", err=True)
    for path in written.without_note:
        click.echo(f"its note is no longer there: {one_line(path)}", err=True)
    said = {"written": "written", "same": "as they were", "changed_there": "changed there"}
    counts = ", ".join(f"{count:,} {said[name]}" for name, count in sorted(written.files.items()))
    click.echo(f"{folder}: {counts or 'no notes'}")
    if written.changed_there:
        click.echo(f"To take in what was changed there: memex notes import {one_line(str(folder))} --dry-run", err=True)


@notes.command(name="import")
@click.argument("folder", metavar="FOLDER", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--dry-run", is_flag=True, help="Only list what would be made, changed (with the difference) and skipped."
)
@click.option("--research", is_flag=True, help="Let the tag research begin research, which costs money. Asks first.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--overwrite", is_flag=True, help="Where file and note have both changed, take the file.")
@click.option("--no-attachments", is_flag=True, help="Leave pdf, docx, xlsx, csv, html and txt files where they are.")
@click.option("--vault", help="The name by which its files are known again.  [default: the folder's]")
@address_options
def import_notes(
    folder: Path,
    dry_run: bool,
    research: bool,
    yes: bool,
    overwrite: bool,
    no_attachments: bool,
    vault: str | None,
    **where: Any,
) -> None:
    """Take a folder of Markdown files in as notes: one that memex notes export wrote, or an Obsidian vault.

    A file is known again: run twice, the second run changes nothing, and a file that has changed since changes its
    note. A note that was changed here since stays. What is deleted in the folder is not deleted here.

    \b
      memex notes import ~/Vault --dry-run
      memex notes import ~/Vault

    \b
    Exit codes: 0 all is in, 1 a file was refused or has changed on both sides, 2 wrong usage.
    """
    from infra.cli.portability.telling import Steps
    from infra.cli.vault.taking_in import How, take_in
    from infra.cli.vault.telling import told

    steps = Steps(quiet=where["as_json"])
    name = vault or folder.resolve().name
    how = How(name, dry_run, research, overwrite, not no_attachments)
    with connect(**where, timeout_seconds=_SECONDS) as client:
        if research and not dry_run and not yes:
            count = take_in(client, folder, How(name, True, True, overwrite, False), Steps(quiet=True)).researched
            if count:
                click.confirm(
                    f"{count:,} research runs would begin, each of which is paid for. Go on?", abort=True, err=True
                )
        taken = take_in(client, folder, how, steps)
    if where["as_json"]:
        print_json(taken.summary())
    else:
        steps.clear()
        for line in told(taken, dry_run=dry_run):
            click.echo(line)
    sys.exit(0 if taken.good else 1)
