"""`memex document`: put files in, find what stands in them, and have them back."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import columns, facts, minute, one_line, print_json, status_mark, styled, table

PAGE = 200
_UPLOAD_SECONDS = 300.0


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def document() -> None:
    """Add, list, show, search, get and delete documents: txt, md, html, csv, xlsx, pdf, docx."""


@document.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)
)
@click.option("--no-wait", is_flag=True, help="Do not wait until the text has been taken over.")
@address_options
def add(files: tuple[Path, ...], no_wait: bool, **where: Any) -> None:
    """Add files, and wait until their text has been taken over.

    With --json each document is a line. The exit code is 1 when one of them was refused or could not be read.
    """
    from infra.cli.adding import add_files

    with connect(**where, timeout_seconds=_UPLOAD_SECONDS) as client:
        good = add_files(client, files, wait=not no_wait, as_json=where["as_json"])
    sys.exit(0 if good else 1)


@document.command(short_help="Add three invented contracts.")
@address_options
def samples(**where: Any) -> None:
    """Add three invented contracts with deadlines in them: something to ask about. Twice is once."""
    from infra.cli.adding import add_files
    from infra.cli.demo.make_contracts import FOLDER

    with connect(**where, timeout_seconds=_UPLOAD_SECONDS) as client:
        files = sorted(FOLDER.glob("*.pdf"))
        good = add_files(client, files, wait=True, as_json=where["as_json"], key="sample")
    sys.exit(0 if good else 1)


@document.command(name="list")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="How many documents at most.")
@click.option("--cursor", help="Go on after a page: the next_cursor of the last --json answer.")
@address_options
def list_documents(limit: int, cursor: str | None, **where: Any) -> None:
    """List documents, newest first."""
    found: list[dict[str, Any]] = []
    with connect(**where) as client:
        while len(found) < limit:
            page = client.get("/api/v1/documents", limit=min(PAGE, limit - len(found)), cursor=cursor)
            found += page["documents"]
            cursor = page.get("next_cursor")
            if not cursor:
                break
    if where["as_json"]:
        print_json({"documents": found, "next_cursor": cursor})
        return
    rows = [
        (
            one_line(item["id"]),
            minute(item["created_at"]),
            status_mark(item["status"]),
            _size(item),
            one_line(item["name"]),
        )
        for item in found
    ]
    table(rows, ("id", "added (UTC)", "status", "size", "name"), none="No documents.")
    if cursor:
        click.echo(styled(f"There are more: --limit {limit * 2}", dim=True), err=True)


@document.command(short_help="Show what a document is.")
@click.argument("document_id")
@address_options
def show(document_id: str, **where: Any) -> None:
    """Show a document: what it is, its tables, and what of it could not be read."""
    with connect(**where) as client:
        answer = client.get(_path(document_id))
    if where["as_json"]:
        print_json(answer)
        return
    item = answer["document"]
    click.echo(f"{status_mark(item['status'])}  {styled(one_line(item['name']), bold=True)}")
    error = item.get("error") or {}
    values = {
        "id": item["id"],
        "type": item["type"],
        "size": _size(item),
        "added": item["created_at"],
        "pages": item.get("pages"),
        "characters": item["characters"],
        "sha256": item["sha256"],
        "operation": item.get("operation_id"),
        "error": f"{error['message']} ({error['code']})" if error else None,
    }
    for line in facts(values):
        click.echo(line)
    for sheet in item["tables"]:
        named = ", ".join(f"{one_line(column['name'])} ({column['type']})" for column in sheet["columns"])
        click.echo(f"  table        {one_line(sheet['name'])} {sheet['rows']} rows: {one_line(named, columns())}")
    for problem in item["problems"]:
        place = f"page {problem['page']}: " if problem.get("page") else ""
        click.echo(styled(f"  problem      {place}{one_line(problem['message'])}", fg="yellow"))


@document.command()
@click.argument("document_id")
@click.option(
    "--output", "-o", type=click.Path(path_type=Path), help="Where to; by default its own name, - for stdout."
)
@click.option("--force", is_flag=True, help="Overwrite a file that is there.")
@address_options
def get(document_id: str, output: Path | None, force: bool, **where: Any) -> None:
    """Get the file itself."""
    from infra.cli.adding import save

    with connect(**where, timeout_seconds=_UPLOAD_SECONDS) as client:
        saved = save(client, _path(document_id), output, force=force)
    if saved is not None:
        print_json({"file": str(saved)}) if where["as_json"] else click.echo(one_line(str(saved)))


@document.command()
@click.argument("document_ids", nargs=-1, required=True)
@address_options
def delete(document_ids: tuple[str, ...], **where: Any) -> None:
    """Delete documents with their files and their text; one that is not there ends it with exit code 1."""
    with connect(**where) as client:
        for document_id in document_ids:
            client.get(_path(document_id))
            client.delete(_path(document_id))
    if where["as_json"]:
        print_json({"deleted": list(document_ids)})


@document.command(short_help="Find passages of documents.")
@click.argument("query", nargs=-1, required=True)
@click.option("--in", "document_id", help="Only in this document.")
@click.option("--limit", type=click.IntRange(1, 50), default=10, show_default=True, help="How many passages at most.")
@address_options
def search(query: tuple[str, ...], document_id: str | None, limit: int, **where: Any) -> None:
    """Find passages of documents, the best first, with document and page."""
    with connect(**where) as client:
        answer = client.get("/api/v1/documents/search", q=" ".join(query), document_id=document_id, limit=limit)
    if where["as_json"]:
        print_json(answer)
        return
    for hit in answer["hits"]:
        page = f", page {hit['page']}" if hit.get("page") else ""
        named = styled(one_line(hit["name"], 80) + page, bold=True)
        click.echo(f"{named}  {styled(one_line(hit['document_id']), dim=True)}")
        click.echo(f"  {one_line(hit['excerpt'], max(40, min(columns(), 160) - 2))}")
    if not answer["hits"]:
        click.echo("Nothing found.", err=True)


def _size(item: dict[str, Any]) -> str:
    size = int(item["bytes"])
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1e3:.1f} kB"


def _path(document_id: str) -> str:
    return f"/api/v1/documents/{quote(document_id, safe='')}"
