"""Showing what a stream tells of, until its end: drawn on a terminal, a line of JSON for each event elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import click

from infra.cli.client import ApiClient
from infra.cli.follow import Followed, Follower
from infra.cli.stopping import left_alone
from infra.cli.terminal import one_line, print_json

Work = dict[str, Any]


class Drawing(Protocol):
    def show(self, event: dict[str, Any]) -> None: ...

    def away(self) -> None: ...


@dataclass(frozen=True)
class Kind:
    """Work of one kind: the group of its commands, the field and word of what it leaves, and its ends' exit codes."""

    group: str
    result: str
    word: str
    exits: Mapping[str, int]


@dataclass(frozen=True)
class Bounds:
    """Where to begin, and when to stop watching."""

    as_json: bool
    after: int = 0
    limit_seconds: float | None = None


def watch(
    client: ApiClient,
    kind: Kind,
    followed: Followed,
    drawn: Callable[[], AbstractContextManager[Drawing]],
    bounds: Bounds,
) -> int:
    """Show its events until it ends; the exit code that says how. Raises what Follower.events raises."""

    def follow(show: Callable[[dict[str, Any]], None], away: Callable[[], None]) -> None:
        following = Follower(client, followed, after=bounds.after, limit_seconds=bounds.limit_seconds, away=away)
        for event in following.events():
            show(event)

    try:
        if bounds.as_json:
            follow(print_json, lambda: click.echo("Waiting for Memex.", err=True))
        else:
            with drawn() as drawing:
                follow(drawing.show, drawing.away)
    except KeyboardInterrupt:
        return left_alone(kind.group, followed.path.rpartition("/")[2])
    ended = dict(client.get(followed.path)[followed.name])
    if not bounds.as_json:
        _say_end(kind, ended)
    return kind.exits.get(ended["status"], 1)


def _say_end(kind: Kind, ended: Work) -> None:
    if ended.get(kind.result):
        click.echo(f"{kind.word}: memex note show {one_line(ended[kind.result])}")
    if ended.get("error"):
        click.echo(f"memex: {one_line(ended['error']['message'])}", err=True)
