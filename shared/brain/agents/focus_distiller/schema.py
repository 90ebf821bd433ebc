"""What the distiller of the focus takes, gives, and asks of its model."""

from __future__ import annotations

from shared.brain.asking import Answered
from shared.contracts.base import Model


class Input(Model):
    since: str = ""
    """When the focus began that is to be described; a later one has a job of its own. Empty: whichever holds."""


class Output(Model):
    title: str = ""
    summary: str = ""
    record_ids: tuple[str, ...] = ()
    """What the summary rests on."""
    message: str = ""


class Answer(Answered):
    summary: str
    record_ids: tuple[str, ...] = ()
