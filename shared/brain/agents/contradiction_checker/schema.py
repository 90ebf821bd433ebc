"""What the contradiction checker asks of a model."""

from __future__ import annotations

from typing import Literal

from shared.brain.asking import Answered


class Judgement(Answered):
    """Of one pair, by its number."""

    pair: int
    verdict: Literal["both_hold", "replaces", "contradicts", "unsure"]
    reason: str = ""
    """Why, in one sentence for the person."""


class Answer(Answered):
    judgements: tuple[Judgement, ...]
