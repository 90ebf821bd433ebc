"""`memex note`: write down, find, read and tag."""

from __future__ import annotations

import random
import sys
from typing import Any, BinaryIO

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.reading import name_of
from infra.cli.terminal import is_terminal, minute, one_line, print_json, styled, table

PAGE = 200


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def note() -> None:
    """Add, list, show and tag notes; put sample notes in."""


@note.command()
@click.argument("text", required=False)
@click.option("--title", default="", help="The note's title.")
@click.option(
    "--tag", "tags", multiple=True, help="A tag; may be given several times. `research` starts a research run."
)
@click.option("--watch", "watched", is_flag=True, help="Follow the research that the tag starts, until it ends.")
@click.option("--file", "file", type=click.File("rb"), help="Read the text from a file; - is standard input.")
@address_options
def add(
    text: str | None, title: str, tags: tuple[str, ...], watched: bool, file: BinaryIO | None, **where: Any
) -> None:
    """Add a note and print its id.

    The text comes from the argument, from --file, or from standard input:

    \b
      memex note add --title "Banneton" "Rice flour keeps it from sticking."
      pbpaste | memex note add --tag idea
      memex note add --tag research --watch "How cold may a battery get?"

    With --watch the exit code is that of `memex ops watch`.
    """
    if watched and not _researches(tags):
        raise click.UsageError("--watch follows a research run: give --tag research too.")
    body = _text(text, file)
    if not title.strip() and not body.strip():
        raise click.UsageError("The note is empty: give it a text or a title.")
    from shared.clock import SystemClock
    from shared.ids import UlidSource

    key = UlidSource(SystemClock(), random.SystemRandom()).fresh()
    with connect(**where) as client:
        answer = client.post("/api/v1/notes", {"title": title, "body": body, "tags": list(tags)}, key=key)
        identifier = answer["note"]["id"]
        print_json(answer) if where["as_json"] else click.echo(identifier)
        if watched:
            from infra.cli import watching
            from infra.cli.to_the_end import Bounds

            sys.exit(watching.watch(client, watching.newest(client, identifier), Bounds(where["as_json"])))
    if "research" in answer["note"]["tags"] and is_terminal() and not where["as_json"]:
        hint = f"Research starts. Follow it with: memex ops watch --note {one_line(identifier)}"
        click.echo(styled(hint, dim=True), err=True)


def _text(text: str | None, file: BinaryIO | None) -> str:
    if text is not None and file is not None:
        raise click.UsageError("Give the text as an argument or with --file, not both.")
    if text is not None:
        return text
    source: BinaryIO = file or sys.stdin.buffer
    if source.isatty():
        raise click.UsageError("No text: give it as an argument, with --file, or on standard input.")
    try:
        return source.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"The text is not UTF-8: {error}") from error


@note.command(name="list")
@click.option("--kind", help="Only this kind: capture, research, digest, review, report, answer.")
@click.option("--tag", help="Only notes with this tag.")
@click.option("--q", "query", help="Only notes with these words.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="How many notes at most.")
@click.option("--cursor", help="Go on after a page: the next_cursor of the last --json answer.")
@address_options
def list_notes(
    kind: str | None, tag: str | None, query: str | None, limit: int, cursor: str | None, **where: Any
) -> None:
    """List notes, newest first."""
    notes: list[dict[str, Any]] = []
    with connect(**where) as client:
        while len(notes) < limit:
            size = min(PAGE, limit - len(notes))
            page = client.get("/api/v1/notes", kind=kind, tag=tag, q=query, limit=size, cursor=cursor)
            notes += page["notes"]
            cursor = page.get("next_cursor")
            if not cursor:
                break
    if where["as_json"]:
        print_json({"notes": notes, "next_cursor": cursor})
        return
    rows = [
        (
            one_line(item["id"]),
            minute(item["created_at"]),
            one_line(item["kind"]),
            name_of(item, 60),
            _tags(item),
        )
        for item in notes
    ]
    table(rows, ("id", "written (UTC)", "kind", "title", "tags"), none="No notes.")
    if cursor:
        click.echo(styled(f"There are more: --limit {limit * 2}", dim=True), err=True)


@note.command()
@click.argument("note_id")
@address_options
def show(note_id: str, **where: Any) -> None:
    """Show a note whole, with its sources."""
    with connect(**where) as client:
        answer = client.get(f"/api/v1/notes/{_segment(note_id)}")
    if where["as_json"]:
        print_json(answer)
        return
    from infra.cli.reading import show_note

    show_note(answer["note"])


@note.command()
@click.argument("note_id")
@click.argument("tags", nargs=-1, required=True)
@click.option("--remove", is_flag=True, help="Take the tags off instead of adding them.")
@click.option("--again", is_flag=True, help="Take the tags off and add them again: `research` then starts a new run.")
@address_options
def tag(note_id: str, tags: tuple[str, ...], remove: bool, again: bool, **where: Any) -> None:
    """Add tags to a note, or take them off.

    The tag `research` on a captured note starts a research run; on a note that has it already, --again starts another.
    """
    if remove and again:
        raise click.UsageError("Give --remove or --again, not both.")
    path = f"/api/v1/notes/{_segment(note_id)}"
    names = list(tags)
    with connect(**where) as client:
        had = not remove and not again and _researches(tags) and "research" in client.get(path)["note"]["tags"]
        if again:
            client.patch(path, {"remove_tags": names})
        answer = client.patch(path, {"remove_tags" if remove else "add_tags": names})
    if where["as_json"]:
        print_json(answer)
    else:
        click.echo(_tags(answer["note"]) or "no tags")
    if had:
        hint = f"To research it once more: memex note tag {one_line(note_id)} research --again"
        click.echo(f"memex: #research was there already, so no research starts. {hint}", err=True)


@note.command()
@address_options
def samples(**where: Any) -> None:
    """Put the twenty sample notes of the demonstration in: something to search and to research from.

    They are about home solar power and about bread, and carry the tags `solar` and `bread`. Twice is once.
    """
    from infra.cli.demo.memex import sample_notes
    from infra.cli.demo.putting import put_in

    with connect(**where) as client:
        kept = put_in(client, sample_notes())
    if where["as_json"]:
        print_json({"notes": [item["id"] for item in kept]})
        return
    asking = next(item for item in kept if "question" in item["tags"])
    click.echo(f"{len(kept)} sample notes are in.")
    click.echo(f"Research the one that asks: memex note tag {one_line(asking['id'])} research")


def _researches(tags: tuple[str, ...]) -> bool:
    """Whether `research` is among the tags as they were typed."""
    return any(tag.strip().lstrip("#").lower() == "research" for tag in tags)


def _tags(item: dict[str, Any]) -> str:
    return " ".join("#" + one_line(tag) for tag in item["tags"])


def _segment(identifier: str) -> str:
    from urllib.parse import quote

    return quote(identifier, safe="")
