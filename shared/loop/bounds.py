"""What a piece of work may use up, as the loop asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from shared.loop.seat import Progress


@dataclass(frozen=True)
class Reached:
    """A bound: its name, which is the work's stop_reason, and the closing sentence."""

    name: str
    sentence: str


class Bounds(Protocol):
    @property
    def calls(self) -> int:
        """How many tool calls the work may make."""
        ...

    def reached(self, progress: Progress) -> Reached | None:
        """The bound that the work has come to, if any; the one named "time" lets no further call begin."""
        ...

    def left_seconds(self, progress: Progress) -> float:
        """How long the work may still take."""
        ...
