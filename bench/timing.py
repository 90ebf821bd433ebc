"""Interleaved, paired timing: short turns, A B A B, so that what else the machine does meets both sides alike."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Operation = Callable[[int], object]
"""What is timed; called with a number that no other call gets."""


@dataclass(frozen=True)
class Prepared:
    """An operation of which only `act` is timed; it is given what `prepare` made of the number."""

    prepare: Callable[[int], Any]
    act: Callable[[Any], object]


Timed = Operation | Prepared
TURN_SECONDS = 0.15
MOST_CALLS = 60
NOISY = 0.25


@dataclass(frozen=True)
class Plan:
    """How many rounds, and the turns before them that count for nothing: a JVM compiles what it runs often."""

    rounds: int = 15
    warm_up: int = 4


@dataclass(frozen=True)
class Series:
    """The medians of one side's turns, in seconds, in the order of the rounds."""

    turns: tuple[float, ...]
    calls: int

    @property
    def median(self) -> float:
        return statistics.median(self.turns)

    @property
    def spread(self) -> float:
        """The middle half of the turns, as a share of their median; of fewer than four the whole range."""
        if len(self.turns) < 4:
            return (max(self.turns) - min(self.turns)) / self.median
        low, _, high = statistics.quantiles(self.turns, n=4)
        return (high - low) / self.median


def compare(sides: Mapping[str, Timed], plan: Plan) -> dict[str, Series]:
    """Time each side's operation in turns; the side that goes first alternates."""
    numbers = itertools.count(1)
    for _ in range(plan.warm_up):
        for operation in sides.values():
            _turn(operation, numbers)
    turns: dict[str, list[float]] = {name: [] for name in sides}
    calls = dict.fromkeys(sides, 0)
    for number in range(plan.rounds):
        order = list(sides) if number % 2 == 0 else list(sides)[::-1]
        for name in order:
            times = _turn(sides[name], numbers)
            turns[name].append(statistics.median(times))
            calls[name] += len(times)
    return {name: Series(tuple(turns[name]), calls[name]) for name in sides}


def ratio(better: Series, worse: Series) -> float:
    """How many times the time of `better` the time of `worse` is: the median over the rounds, each round a pair."""
    return statistics.median(w / b for b, w in zip(better.turns, worse.turns, strict=True))


def timed(operation: Callable[[], object]) -> float:
    """Seconds that one call takes."""
    start = time.perf_counter()
    operation()
    return time.perf_counter() - start


def _turn(operation: Timed, numbers: Iterator[int]) -> list[float]:
    prepared = operation if isinstance(operation, Prepared) else Prepared(lambda number: number, operation)
    times: list[float] = []
    while sum(times) < TURN_SECONDS and len(times) < MOST_CALLS:
        subject = prepared.prepare(next(numbers))
        start = time.perf_counter()
        prepared.act(subject)
        times.append(time.perf_counter() - start)
    return times
