"""From the calls of an answer to a score, with intervals that say how much it is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.tool_choice.wants import Case, Want

_Z = 1.96
"""Of 95 percent."""


@dataclass(frozen=True)
class Made:
    """A call that the model made; `arguments` is None for one that could not be read."""

    tool: str
    arguments: Mapping[str, Any] | None


@dataclass(frozen=True)
class Scored:
    """One answer: whether its tools were right, and the arguments of those; `failure` when there was no answer."""

    case: Case
    made: tuple[Made, ...]
    tools: bool
    arguments: bool
    failure: str = ""

    @property
    def right(self) -> bool:
        return self.tools and self.arguments


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    good: int
    all: int

    @property
    def value(self) -> float:
        return self.good / self.all if self.all else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of 95 percent (1927): right for few cases, and for shares near 0 and 1."""
        if not self.all:
            return 0.0, 1.0
        n, share = self.all, self.value
        middle = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z / (1 + _Z**2 / n) * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
        return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class Score:
    """`tools`: of the cases that want calls, those whose answer called these tools and no other. `arguments`: of those,
    the ones with the arguments that were wanted. `abstention`: of the cases that want none, those without a call.
    `whole`: of all cases, those with everything right."""

    tools: Share
    arguments: Share
    abstention: Share
    whole: Share


def scored(case: Case, made: Sequence[Made], failure: str = "") -> Scored:
    """One answer against each way to do it right; the best counts."""
    results = [_against(wanted, made) for wanted in case.wanted] if not failure else [(False, False)]
    tools, arguments = max(results)
    return Scored(case, tuple(made), tools, arguments, failure)


def score(results: Sequence[Scored]) -> Score:
    calling = [one for one in results if not one.case.abstains]
    silent = [one for one in results if one.case.abstains]
    chosen = [one for one in calling if one.tools]
    return Score(
        Share(len(chosen), len(calling)),
        Share(sum(one.arguments for one in chosen), len(chosen)),
        Share(sum(one.right for one in silent), len(silent)),
        Share(sum(one.right for one in results), len(results)),
    )


def _against(wanted: Sequence[Want], made: Sequence[Made]) -> tuple[bool, bool]:
    """Whether the tools are these, and whether each wanted call has a made one with its arguments, one for one."""
    if sorted(want.tool for want in wanted) != sorted(call.tool for call in made):
        return False, False
    return True, _paired(list(wanted), list(made))


def _paired(wanted: list[Want], made: list[Made]) -> bool:
    if not wanted:
        return True
    first, *rest = wanted
    return any(
        call.tool == first.tool
        and call.arguments is not None
        and first.fits(call.arguments)
        and _paired(rest, made[:at] + made[at + 1 :])
        for at, call in enumerate(made)
    )
