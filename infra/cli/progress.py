"""A run as it goes on: a live panel on a terminal, a line an event elsewhere."""

from __future__ import annotations

from collections import Counter, deque
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

from infra.cli.events import describe
from infra.cli.panel import Panel
from infra.cli.terminal import one_line
from shared.clock import Clock

if TYPE_CHECKING:
    from rich.console import ConsoleRenderable

LINES = 8
COUNTED = {"thought": "thoughts", "search": "searches", "reading": "pages read", "writing": "pieces written"}
QUIET_SECONDS = 60
PLANS = frozenset({"plan_proposed", "plan_edited"})
"""Events after which a plan waits for a person."""


class Progress:
    """A context in which `show` is called with each event of one operation.

    The seconds are those of the events themselves, since the operation began: a run that is watched later, or again,
    shows when things happened. `begun` is that beginning as RFC 3339; without it, the first event is.
    """

    def __init__(self, title: str, clock: Clock, begun: str | None = None) -> None:
        self._title, self._clock = one_line(title, 70), clock
        self._begun = _moment(begun) if begun else None
        self._reached = 0.0
        """When the last event happened, in seconds since the beginning; from then on this machine's clock counts."""
        self._last = clock.now()
        self._lines: deque[tuple[float, str, str]] = deque(maxlen=LINES)
        self._counts: Counter[str] = Counter()
        self._status = "running"
        self._panel = Panel(self._drawn)

    def __enter__(self) -> Progress:
        self._panel.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._panel.__exit__(kind, error, trace)

    def show(self, event: dict[str, Any]) -> None:
        """Take an envelope in."""
        at = _moment(event["at"])
        self._begun = self._begun or at
        self._reached, self._last = max(0.0, (at - self._begun).total_seconds()), self._clock.now()
        icon, text = describe(event)
        if event["type"] == "failed":
            text = "failed"  # why is said in full at the end
        if event["type"] in COUNTED:
            self._counts[event["type"]] += 1
        if event["type"] in ("completed", "failed", "cancelled"):
            self._status = event["type"]
        else:
            self._status = "awaiting_approval" if event["type"] in PLANS else "running"
        self._line(self._reached, icon, text)

    def away(self) -> None:
        """Say that the server does not answer and is waited for."""
        self._line(self._elapsed(), "!", "waiting for Memex")

    def _quiet(self) -> float:
        return (self._clock.now() - self._last).total_seconds() if self._status == "running" else 0.0

    def _elapsed(self) -> float:
        return self._reached + self._quiet()

    def _line(self, elapsed: float, icon: str, text: str) -> None:
        self._lines.append((elapsed, icon, text))
        if not self._panel.shown:
            click.echo(f"{elapsed:6.1f} s  {icon} {text}")

    def _drawn(self) -> ConsoleRenderable:
        from rich.console import Group
        from rich.text import Text

        now = self._clock.now()
        elapsed, quiet = int(self._elapsed()), int(self._quiet())
        clock = f"{elapsed // 3600}:{elapsed // 60 % 60:02}:{elapsed % 60:02}" if elapsed >= 3600 else ""
        head = Text.assemble(
            (_SPINNER[int(now.timestamp() * 8) % len(_SPINNER)] if self._status == "running" else _DONE[self._status]),
            " ",
            (one_line(self._title, max(10, self._panel.width - 12)), "bold"),
            "  ",
            (clock or f"{elapsed // 60}:{elapsed % 60:02}", "cyan"),
        )
        counts = ", ".join(f"{self._counts[kind]} {name}" for kind, name in COUNTED.items() if self._counts[kind])
        foot = f"  {counts or 'nothing yet'}" + (f"; quiet for {quiet} s" if quiet >= QUIET_SECONDS else "")
        body = [
            Text(f"  {at:5.1f} s  {icon} {text}", overflow="ellipsis", no_wrap=True) for at, icon, text in self._lines
        ]
        return Group(head, *body, Text(foot, "dim"))


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_DONE = {"completed": "✓", "failed": "✗", "cancelled": "–", "awaiting_approval": "?"}
