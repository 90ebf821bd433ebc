"""What the distiller of the identity takes, gives, and asks of its model."""

from __future__ import annotations

from shared.brain.asking import Answered
from shared.contracts.base import Model


class Input(Model):
    after: str = ""
    """Up to when an earlier job has read; it only tells this job from that one."""


class Output(Model):
    statements: int
    records: int
    """What was read."""
    message: str = ""


class Sentence(Answered):
    text: str
    record_ids: tuple[str, ...]


class Answer(Answered):
    statements: tuple[Sentence, ...]
