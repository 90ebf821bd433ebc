"""What the evidence seeker asks of a model."""

from __future__ import annotations

from typing import Literal

from shared.brain.asking import Answered


class Answer(Answered):
    """Of one pair of statements."""

    verdict: Literal["new", "known", "neither"]
    passages: tuple[int, ...] = ()
    """The numbers of those that tell."""
    reason: str = ""
    """What they tell, in one sentence for the person."""
