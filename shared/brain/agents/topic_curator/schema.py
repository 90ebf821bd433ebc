"""What the curator of topics takes, gives, and asks of its model."""

from __future__ import annotations

from shared.brain.asking import Answered
from shared.contracts.base import Model


class Input(Model):
    """Nothing: it looks at the nodes that records were added to last."""


class Output(Model):
    topics: int
    """Written now."""
    removed: int
    records: int
    """What was read."""


class Grouped(Answered):
    name: str
    summary: str = ""
    record_ids: tuple[str, ...] = ()


class Answer(Answered):
    topics: tuple[Grouped, ...]
