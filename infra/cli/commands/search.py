"""`memex search`: find notes."""

from __future__ import annotations

from typing import Any

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.terminal import columns, one_line, print_json, styled


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option("--tag", help="Only notes with this tag.")
@click.option("--kind", help="Only this kind: capture, research, digest, review, report, answer.")
@click.option("--after", help="Only notes written on this day or later: YYYY-MM-DD.")
@click.option("--before", help="Only notes written before this day.")
@click.option("--limit", type=click.IntRange(1, 50), default=10, show_default=True, help="How many notes at most.")
@address_options
def search(
    query: tuple[str, ...],
    tag: str | None,
    kind: str | None,
    after: str | None,
    before: str | None,
    limit: int,
    **where: Any,
) -> None:
    """Find notes, the best first: by the forms of their words, and by meaning where a model can embed.

    memex search how cold may a battery get
    """
    asked = {"q": " ".join(query), "tag": tag, "kind": kind, "after": after, "before": before, "limit": limit}
    with connect(**where) as client:
        answer = client.get("/api/v1/search", **asked)
    if where["as_json"]:
        print_json(answer)
        return
    for hit in answer["hits"]:
        tags = " ".join("#" + one_line(each) for each in hit["tags"])
        named = styled(one_line(hit["title"] or "Untitled", 80), bold=True)
        click.echo(f"{named}  {styled(one_line(hit['id']), dim=True)}  {tags}".rstrip())
        if hit["excerpt"]:
            click.echo(f"  {one_line(hit['excerpt'], max(40, min(columns(), 160) - 2))}")
    if not answer["hits"]:
        click.echo(" ".join(filter(None, (answer.get("message"), "Nothing found."))), err=True)
