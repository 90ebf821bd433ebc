"""A note for reading: rendered markdown on a terminal, plain text elsewhere."""

from __future__ import annotations

from typing import Any

import click

from infra.cli.places import spelled
from infra.cli.terminal import is_terminal, minute, one_line, printable, styled, wants_colour

WIDTH = 100


def name_of(note: dict[str, Any], limit: int = 0) -> str:
    """The title of a note, or what stands for one that lacks: the first line of its body that has words."""
    lines = (line.strip("# \t") for line in note["body"].splitlines())
    return one_line(note["title"] or next((line for line in lines if line), ""), limit) or "(empty)"


def show_note(note: dict[str, Any]) -> None:
    """Print a note of the API with its facts, its body and its sources."""
    click.echo(styled(name_of(note), bold=True))
    tags = " ".join("#" + one_line(tag) for tag in note["tags"])
    facts = [note["kind"], minute(note["created_at"]) + " UTC", note["id"], tags]
    click.echo(styled("  ".join(one_line(fact) for fact in facts if fact), dim=True))
    if note.get("source_note_id"):
        click.echo(styled(f"about {one_line(note['source_note_id'])}", dim=True))
    if note.get("partial"):
        click.echo(styled("This report is partial: what there was is kept.", fg="yellow"))
    click.echo()
    show_markdown(_without_sources(note))
    show_sources(note["citations"])


def _without_sources(note: dict[str, Any]) -> str:
    """The body without the list of sources at its end, where they are shown from the note's citations."""
    text, _, _ = note["body"].rpartition("\n## Sources\n") if note["citations"] else (note["body"], "", "")
    return str(text or note["body"]).rstrip()


def show_markdown(text: str) -> None:
    """Markdown, on a terminal rendered with addresses and ids spelled out, elsewhere as it is; controls are escaped."""
    if not is_terminal():
        click.echo(printable(text))
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(no_color=not wants_colour(), highlight=False)
    console.print(Markdown(printable(spelled(text)), hyperlinks=False), width=min(WIDTH, console.width))


def show_sources(citations: list[dict[str, Any]]) -> None:
    """The numbered sources of a report: notes by their id, pages by their address."""
    if not citations:
        return
    click.echo()
    click.echo(styled("Sources", bold=True))
    for item in citations:
        place = _place(item)
        doubt = "" if item.get("resolved", True) else "  (redirect, not resolved)"
        title = one_line(item.get("title") or "")
        click.echo(f"  [{item['n']}] {title + '  ' if title else ''}{styled(one_line(place), dim=True)}{doubt}")


def _place(item: dict[str, Any]) -> str:
    if item.get("note_id"):
        return f"note {item['note_id']}"
    if item.get("document_id"):
        page = f", page {item['page']}" if item.get("page") else ""
        return f"document {item['document_id']}{page}"
    return str(item.get("url") or "no address")
