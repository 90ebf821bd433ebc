"""Two faults in one world: every pair of (point, what happens there), and a selection of them that a test can afford.

The first fault of a pair happens at the first time that the play comes by its point, the second at the first time after
that. A pair is run in a play that comes by both points; points that no one play comes by make no pair.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from infra.sim import exhaustive
from infra.sim.exhaustive import MODES
from infra.sim.run import Outcome

Place = tuple[str, str]
"""(point, mode)"""
_STRIDE, _TOLD_EVERY = 7, 100


@dataclass(frozen=True)
class Pair:
    """Two faults in a row in one play."""

    play: str
    first: Place
    second: Place

    def __str__(self) -> str:
        (one, how), (other, then) = self.first, self.second
        return f"{self.play}: {how} at {one}, {then} at {other}"


def pairs() -> list[Pair]:
    """All pairs, each in the first play that comes by both points; in the same order in every process."""
    reached = exhaustive.reached()
    points = sorted({point for names in reached.values() for point in names})
    return [
        Pair(play, (one, how), (other, then))
        for one in points
        for other in points
        if (play := next((play for play, names in reached.items() if one in names and other in names), ""))
        for how in MODES
        for then in MODES
    ]


def selected(given: Sequence[Pair], partners: int) -> list[Pair]:
    """A part of them: every place comes first with so many others, and which those are is spread over all places."""
    by_first: dict[Place, list[Pair]] = {}
    for pair in given:
        by_first.setdefault(pair.first, []).append(pair)
    used: Counter[Place] = Counter()
    chosen = []
    for turn, own in enumerate(by_first.values()):
        middle = turn * _STRIDE % len(own)
        for pair in sorted([*own[middle:], *own[:middle]], key=lambda pair: used[pair.second])[:partners]:
            used[pair.second] += 1
            chosen.append(pair)
    return chosen


def run(pair: Pair) -> Outcome:
    """The world in which just these two things go wrong."""
    return exhaustive.run_all(pair.play, [pair.first, pair.second])


def run_from(begin: int, end: int | None, processes: int, say: Callable[[str], None]) -> int:
    """Run the pairs with these numbers, counted from 1; how many failed. Says how far it has come, and what is left."""
    given = pairs()
    chosen, failed = given[begin - 1 : end], 0
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for n, outcome in enumerate(pool.imap(run, chosen, chunksize=8), begin):
            if outcome.broken:
                failed += 1
                say(f"pair {n} fails ({given[n - 1]}): {outcome.broken[0]}; again: --pairs --from {n} --to {n}")
            if n % _TOLD_EVERY == 0 or n == begin + len(chosen) - 1:
                left = begin + len(chosen) - 1 - n
                say(f"pair {n} of {len(given)}, {failed} failed, {left} left; go on later with --from {n + 1}")
    return failed
