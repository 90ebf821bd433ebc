"""Where trace events lie: trace/{yyyy}/{mm}/{dd}/{workspace}/{key}.json, and beside that folder its day's files."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.trace.received import TraceEvent

ROOT = "trace"
_PIECE = re.compile(r"trace/(\d{4}/\d\d/\d\d)/([A-Za-z0-9_-]+)/[A-Za-z0-9_-]+\.json")


@dataclass(frozen=True, order=True)
class Day:
    """One day of one workspace; `date` as yyyy/mm/dd, UTC, so that days sort."""

    date: str
    workspace: str

    @property
    def pieces(self) -> str:
        """The prefix below which its pieces lie."""
        return f"{ROOT}/{self.date}/{self.workspace}"

    def file(self, n: int) -> str:
        """The day's n-th file: one is the rule, those after it hold what came late."""
        return f"{self.pieces}.jsonl.gz" if n == 1 else f"{self.pieces}.{n}.jsonl.gz"


def is_of(name: str, workspace: str) -> bool:
    """Whether an object right below the folder of a day is a day's file of that workspace."""
    return re.fullmatch(rf"{re.escape(workspace)}(\.\d+)?\.jsonl\.gz", name.rpartition("/")[2]) is not None


def piece(event: TraceEvent) -> str:
    """The name of an event's piece, made from its id: the same each time it comes."""
    day = Day(f"{event.envelope.at:%Y/%m/%d}", event.workspace)
    return f"{day.pieces}/{event.key('event')}.json"


def day_of(name: str) -> Day | None:
    """The day of a piece; None for any other object."""
    found = _PIECE.fullmatch(name)
    return Day(found[1], found[2]) if found else None
