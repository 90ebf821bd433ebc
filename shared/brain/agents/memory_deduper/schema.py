"""What the deduper asks of a model."""

from __future__ import annotations

from typing import Literal

from shared.brain.asking import Answered


class Judgement(Answered):
    """Of one candidate, by its number."""

    candidate: int
    verdict: Literal["new", "same", "worthless"]
    known: str = ""
    """Which of the known statements says the same, by its name."""
    reason: str = ""
    """Why, in one sentence for the person."""


class Answer(Answered):
    judgements: tuple[Judgement, ...]
