"""Sending files, following their extraction, and saving what comes back."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from infra.cli.client import ApiClient
from infra.cli.errors import CliError
from infra.cli.follow import Followed, Follower
from infra.cli.terminal import is_terminal, one_line, print_json, status_mark, styled
from shared.contracts.limits import DOCUMENT_DIRECT_BYTES

FOLLOW_SECONDS = 1800.0


def add_files(client: ApiClient, files: Sequence[Path], *, wait: bool, as_json: bool, key: str | None = None) -> bool:
    """Send the files one by one; whether all were taken and, where they are waited for, read.

    With a `key` the same file is the same document each time.
    """
    good = True
    for file in files:
        try:
            item = _sent(client, file, key)
            if wait and item.get("operation_id"):
                item = _followed(client, item, quiet=as_json)
        except CliError as error:
            click.echo(f"memex: {one_line(file.name)}: {one_line(error.message)}", err=True)
            good = False
            continue
        good = good and item["status"] != "failed"
        _tell(item, as_json=as_json)
    return good


def _sent(client: ApiClient, file: Path, key: str | None) -> dict[str, Any]:
    from shared.clock import SystemClock
    from shared.ids import UlidSource

    try:
        size = file.stat().st_size
        if key is not None:
            key = f"{key}-{hashlib.sha256(file.read_bytes()).hexdigest()[:32]}"
        key = key or UlidSource(SystemClock(), random.SystemRandom()).fresh()
        if size <= DOCUMENT_DIRECT_BYTES:
            answer = client.upload("/api/v1/documents", file.name, file.read_bytes(), key=key)
        else:
            answer = _sent_by_address(client, file, size, key)
    except OSError as error:
        raise CliError(f"The file cannot be read: {error.strerror}") from error
    item: dict[str, Any] = answer["document"]
    return item


def _sent_by_address(client: ApiClient, file: Path, size: int, key: str) -> dict[str, Any]:
    asked = client.post("/api/v1/documents/uploads", {"name": file.name, "bytes": size}, key=key)
    client.put(asked["url"], file, asked["headers"])
    return client.post(f"/api/v1/documents/{quote(asked['document']['id'], safe='')}/complete")


def _followed(client: ApiClient, item: dict[str, Any], *, quiet: bool) -> dict[str, Any]:
    """The document when its extraction has ended; meanwhile how far it is, on one line."""
    shown = is_terminal() and not quiet
    followed = Followed(f"/api/v1/operations/{quote(item['operation_id'], safe='')}", "operation")
    follower = Follower(client, followed, limit_seconds=FOLLOW_SECONDS)
    for event in follower.events():
        if shown and event["type"] == "extracted":
            data = event["data"]
            click.echo(f"\r\x1b[K◌ {one_line(item['name'], 60)}  {data['parts']} of {data['of']}", nl=False)
    if shown:
        click.echo("\r\x1b[K", nl=False)
    found: dict[str, Any] = client.get(f"/api/v1/documents/{quote(item['id'], safe='')}")["document"]
    return found


def _tell(item: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json({"document": item})
        return
    pages = f"{item['pages']} pages" if item.get("pages") else f"{item['characters']} characters"
    said = one_line(item["error"]["message"]) if item.get("error") else pages
    click.echo(
        f"{status_mark(item['status'])}  {one_line(item['name'], 60)}  {styled(one_line(item['id']), dim=True)}  {said}"
    )
    for problem in item["problems"]:
        place = f"page {problem['page']}: " if problem.get("page") else ""
        click.echo(styled(f"    {place}{one_line(problem['message'])}", fg="yellow"))


def save(client: ApiClient, path: str, output: Path | None, *, force: bool) -> Path | None:
    """The file of the document at the API's path, written to `output` or under its own name; None for stdout.

    Raises CliError where there is a file of that name already.
    """
    item = client.get(path)["document"]
    if output == Path("-"):
        with client.download(f"{path}/content") as pieces:
            for piece in pieces:
                click.echo(piece, nl=False)
        return None
    target = output or Path(Path(one_line(item["name"]).replace("\\", "/")).name)
    try:
        with client.download(f"{path}/content") as pieces, target.open("wb" if force else "xb") as file:
            for piece in pieces:
                file.write(piece)
    except FileExistsError as error:
        raise CliError(f"There is a file {target} already: give --output or --force.") from error
    except OSError as error:
        raise CliError(f"{target} cannot be written: {error.strerror}") from error
    return target
