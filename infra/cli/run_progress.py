"""A run as it goes on: on a terminal a checklist that fills, elsewhere a line for each frame."""

from __future__ import annotations

from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

from infra.cli.panel import Panel
from infra.cli.terminal import one_line
from shared.clock import Clock

if TYPE_CHECKING:
    from rich.console import ConsoleRenderable

WIDTH = 110
_MARKS = {"pending": "·", "running": "◌", "succeeded": "✓", "failed": "✗", "cancelled": "–", "skipped": "–"}
_UNFINISHED = {"running": "cancelled", "pending": "skipped"}
"""What becomes of a step that the end of its run finds unfinished."""
_QUIET = frozenset({"answer_text", "citation"})
"""Frames that are counted, not told."""


class RunProgress:
    """A context in which `show` is called with each frame of one run. `begun` is its beginning, as RFC 3339."""

    def __init__(self, title: str, clock: Clock, begun: str) -> None:
        self._title, self._clock, self._begun = title, clock, datetime.fromisoformat(begun)
        self._steps: dict[str, dict[str, Any]] = {}
        self._status, self._written, self._cited, self._note = "queued", 0, 0, ""
        self._ended: datetime | None = None
        self._panel = Panel(self._drawn)

    def __enter__(self) -> RunProgress:
        self._panel.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._panel.__exit__(kind, error, trace)

    def show(self, event: dict[str, Any]) -> None:
        """Take an envelope in."""
        kind, data = str(event["type"]), event["data"]
        self._take(kind, data)
        if kind == "run_completed":
            self._end(datetime.fromisoformat(event["at"]))
        if not self._panel.shown and kind not in _QUIET:
            seconds = (datetime.fromisoformat(event["at"]) - self._begun).total_seconds()
            click.echo(f"{max(0.0, seconds):6.1f} s  {one_line(_told(kind, data), WIDTH)}")

    def away(self) -> None:
        """Say that the server does not answer and is waited for."""
        self._note = "waiting for Memex"
        if not self._panel.shown:
            click.echo("  waiting for Memex")

    def _take(self, kind: str, data: dict[str, Any]) -> None:
        self._note = ""
        if kind == "plan_ready":
            self._steps |= {str(step["step_id"]): dict(step) for step in data.get("steps", ())}
        elif kind == "answer_text":
            self._written += len(str(data.get("text", "")))
        elif kind == "citation":
            self._cited += 1
        step_id = data.get("step_id")
        if step_id is None:
            self._status = str(data.get("status", self._status))
        elif kind.startswith("step_"):
            step = self._steps.setdefault(str(step_id), {"title": data.get("title", ""), "index": 0})
            step |= {"status": data.get("status"), "note": data.get("message", "") if kind == "step_failed" else ""}

    def _end(self, at: datetime) -> None:
        """The clock stands still, and what was under way is so no more."""
        self._ended = at
        for step in self._steps.values():
            step["status"] = _UNFINISHED.get(str(step.get("status")), step.get("status"))

    def _drawn(self) -> ConsoleRenderable:
        from rich.console import Group
        from rich.text import Text

        seconds = max(0, int(((self._ended or self._clock.now()) - self._begun).total_seconds()))
        head = Text.assemble(
            (self._title, "bold"), f"  {self._status}  ", (f"{seconds // 60}:{seconds % 60:02}", "cyan")
        )
        lines = [
            Text(f"  {_MARKS.get(str(step.get('status')), '·')} {_line(step)}", overflow="ellipsis", no_wrap=True)
            for step in sorted(self._steps.values(), key=lambda step: int(step.get("index") or 0))
        ]
        written = f"{self._written} characters written, {self._cited} sources" if self._written else ""
        foot = "; ".join(part for part in (written, self._note) if part)
        return Group(head, *lines, Text(f"  {foot}", "dim"))


def _line(step: dict[str, Any]) -> str:
    note = f" — {step['note']}" if step.get("note") else ""
    return one_line(f"{step.get('title', '')}{note}", WIDTH)


def _told(kind: str, data: dict[str, Any]) -> str:
    """A frame in a few words."""
    title = data.get("title", "")
    if kind == "plan_ready":
        return "plan: " + "; ".join(str(step["title"]) for step in data.get("steps", ()))
    if kind == "run_completed":
        error = (data.get("error") or {}).get("message", "")
        return f"{data.get('status')} ({data.get('stop_reason')}){': ' + error if error else ''}"
    mark = _MARKS.get(str(data.get("status")), "·")
    note = data.get("message") or data.get("summary") or ""
    return f"{mark} {kind.replace('_', ' ')}: {title}{': ' + note if note else ''}"
