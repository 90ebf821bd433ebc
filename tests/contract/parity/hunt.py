"""Has hypothesis look for scripts on which two servers disagree, shrinks each, and goes on for others."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.errors import Flaky

from tests.contract.parity.script import Disagreement
from tests.contract.parity.step import Script

ROUNDS = 6
SEARCH_SECONDS = 40
"""After so long a round ends with what it has."""


class Disagreed(AssertionError):
    """Carries what was found out of hypothesis."""


def hunt(
    scripts: Any,
    compare: Callable[[Script], Disagreement | None],
    examples: int,
    start: int,
    rounds: int = ROUNDS,
) -> list[Disagreement]:
    """The shrunk disagreements among `examples` random scripts of each round; each round passes over what is known."""
    found: dict[str, Disagreement] = {}
    for number in range(rounds):
        smallest = _search(scripts, compare, examples, start + number, set(found))
        if smallest is None:
            break
        found[smallest.signature] = smallest
    return list(found.values())


def _search(scripts: Any, compare: Any, examples: int, start: int, known: set[str]) -> Disagreement | None:
    last: list[Disagreement] = []
    deadline = time.monotonic() + SEARCH_SECONDS

    @seed(start)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
        report_multiple_bugs=False,
        verbosity=Verbosity.quiet,
    )
    @given(scripts)
    def agree(script: Script) -> None:
        if time.monotonic() > deadline:
            return
        disagreement = compare(script)
        if disagreement is not None and disagreement.signature not in known:
            last[:] = [disagreement]
            raise Disagreed

    try:
        agree()
    except (Disagreed, Flaky):  # flaky: it was cut short, or the servers answer by chance
        return last[0]
    return None
