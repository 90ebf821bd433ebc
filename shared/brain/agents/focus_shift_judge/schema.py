"""What the judge of the focus takes, gives, and asks of its model."""

from __future__ import annotations

from shared.brain.asking import Answered
from shared.contracts.base import Model


class Input(Model):
    """Nothing: it looks at what was written since it last looked."""


class Output(Model):
    shifted: bool
    looked_at: int
    """Records that were new to it."""
    title: str = ""
    """Of the focus that holds now."""
    record_ids: tuple[str, ...] = ()


class Answer(Answered):
    shifted: bool
    title: str = ""
    record_ids: tuple[str, ...] = ()
