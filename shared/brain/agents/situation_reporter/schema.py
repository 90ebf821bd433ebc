"""What the reporter takes, gives, and asks of its model."""

from __future__ import annotations

from shared.brain.asking import Answered
from shared.contracts.base import Model


class Input(Model):
    """Nothing: it tells how things stand now."""


class Output(Model):
    note_id: str | None = None
    created: bool = False
    record_ids: tuple[str, ...] = ()
    """The records that the note rests on."""
    message: str = ""


class Answer(Answered):
    text: str
