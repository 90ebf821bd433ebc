"""Days as contracts write them: sentences with one, and the quarter that it falls into."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_NAMED = re.compile(rf"\b({'|'.join(_MONTHS)})\b", re.IGNORECASE)
_DAY = re.compile(rf"\b(?:\d{{1,2}}\.?\s+(?:{'|'.join(_MONTHS)})|(?:{'|'.join(_MONTHS)})\s+\d{{1,2}})\b", re.IGNORECASE)
_ISO = re.compile(r"\b\d{4}-(\d{2})-\d{2}\b")
_QUARTERS = (
    (re.compile(r"\b(?:first quarter|q1)\b", re.IGNORECASE), 1),
    (re.compile(r"\b(?:second quarter|q2)\b", re.IGNORECASE), 2),
    (re.compile(r"\b(?:third quarter|q3)\b", re.IGNORECASE), 3),
    (re.compile(r"\b(?:fourth quarter|last quarter|q4)\b", re.IGNORECASE), 4),
)
WANTED = re.compile(r"\b(?:deadlines?|dates?|due|expir\w+|fristen?|terminate?\w*)\b", re.IGNORECASE)
"""Words by which a task asks for days."""


def has_day(text: str) -> bool:
    """Whether the text names a day of a month."""
    return _DAY.search(text) is not None or _ISO.search(text) is not None


def quarter_wanted(goal: str) -> int | None:
    """The quarter that a goal asks for."""
    return next((number for pattern, number in _QUARTERS if pattern.search(goal)), None)


def quarters(text: str) -> set[int]:
    """The quarters of all days in a text."""
    return {(month - 1) // 3 + 1 for month in _months(text)}


def _months(text: str) -> Iterator[int]:
    for match in _DAY.finditer(text):
        named = _NAMED.search(match[0])
        if named is not None:
            yield _MONTHS.index(named[1].lower()) + 1
    for match in _ISO.finditer(text):
        if 1 <= int(match[1]) <= 12:
            yield int(match[1])
