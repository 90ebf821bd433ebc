"""One line of the table: what was measured on the local cloud, on Google's emulator, and what was wanted."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from bench.timing import NOISY, Series, ratio

LOCAL, GOOGLE = "local", "google"


@dataclass(frozen=True)
class Row:
    """`ratio` says how many times as good the local cloud is, above 1 for faster, smaller or more.

    `at_least` is a goal for the ratio, `at_most` one for the local figure itself, in its unit. `spread` is the
    middle half of the rounds as a share of the median, of the noisier side.
    """

    subject: str
    what: str
    unit: str
    local: float
    google: float | None = None
    ratio: float | None = None
    best: float | None = None
    """The ratio of the fastest turns, which a loaded machine disturbs least."""
    at_least: float | None = None
    at_most: float | None = None
    spread: float = 0.0
    rounds: int = 1

    @property
    def noisy(self) -> bool:
        return self.spread > NOISY

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None without a goal, or without the other side it speaks of."""
        if self.at_most is not None:
            return self.local <= self.at_most
        if self.at_least is None or self.ratio is None:
            return None
        return self.ratio >= self.at_least

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "noisy": self.noisy, "reached": self.reached}


def time_row(subject: str, what: str, series: Mapping[str, Series], at_least: float | None = None) -> Row:
    """A row in milliseconds of what `compare` measured."""
    local, google = series[LOCAL], series.get(GOOGLE)
    return Row(
        subject,
        what,
        "ms",
        local.median * 1000,
        None if google is None else google.median * 1000,
        None if google is None else ratio(local, google),
        None if google is None else min(google.turns) / min(local.turns),
        at_least,
        spread=max(each.spread for each in series.values()),
        rounds=len(local.turns),
    )


def rate_row(subject: str, what: str, amount: int, series: Mapping[str, Series]) -> Row:
    """As `time_row`, as a rate: each call did the thing `amount` times."""
    row = time_row(subject, what, series)
    google = None if row.google is None else amount * 1000 / row.google
    local = amount * 1000 / row.local
    return replace(row, unit="/s", local=local, google=google)


def own_row(subject: str, what: str, unit: str, values: Sequence[float], at_most: float | None = None) -> Row:
    """A row of figures of the local cloud alone: their median."""
    series = Series(tuple(values), len(values))
    return Row(subject, what, unit, series.median, at_most=at_most, spread=series.spread, rounds=len(values))


def pair_row(subject: str, what: str, unit: str, figures: Mapping[str, Sequence[float]]) -> Row:
    """A row of figures of both sides, the less the better: their medians."""
    medians = {name: statistics.median(values) for name, values in figures.items()}
    google = medians.get(GOOGLE)
    share = None if google is None else google / medians[LOCAL]
    spread = max(Series(tuple(values), len(values)).spread for values in figures.values())
    return Row(subject, what, unit, medians[LOCAL], google, share, share, spread=spread, rounds=len(figures[LOCAL]))
