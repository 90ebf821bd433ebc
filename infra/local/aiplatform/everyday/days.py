"""Days as people write them: tomorrow, by friday, in two weeks, 4 December, 2026-12-04."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_YEAR = "january february march april may june july august september october november december"
_MONTHS = tuple(_YEAR.split())
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_BEFORE = r"(?:\s*,?\s*\b(?:due|by|on|for|until|till|before|at|from)\b)*\s*,?\s*\b"
_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" if len(month) > 3 else month for month in _MONTHS)

_Reading = tuple[re.Pattern[str], Callable[[re.Match[str], date], date | None]]


def find_day(text: str, today: date) -> tuple[date | None, str]:
    """The first day that the text names and the text without those words; None and the text when it names none."""
    for pattern, read in _READINGS:
        match = pattern.search(text)
        day = read(match, today) if match else None
        if match and day:
            rest = f"{text[: match.start()]} {text[match.end() :]}"
            return day, re.sub(r"\s+", " ", rest).strip(" ,")
    return None, text


def _pattern(day: str) -> re.Pattern[str]:
    return re.compile(_BEFORE + day + r"\b", re.IGNORECASE)


def _iso(match: re.Match[str], _today: date) -> date | None:
    return _made(int(match[1]), int(match[2]), int(match[3]))


def _weekday(match: re.Match[str], today: date) -> date:
    """The next one; "next friday" said on a monday is the one of the week after."""
    ahead = (_WEEKDAYS.index(match[2].lower()) - today.weekday()) % 7 or 7
    return today + timedelta(days=ahead + (7 if (match[1] or "").strip().lower() == "next" and ahead < 4 else 0))


def _in_future(match: re.Match[str], today: date) -> date | None:
    count = _NUMBERS.get(match[1].lower()) or (int(match[1]) if match[1].isdigit() else 0)
    days = count * {"d": 1, "w": 7, "m": 30}[match[2][0].lower()]
    return today + timedelta(days=days) if 0 < days < 40_000 else None


def _day_month(day: str, month: str, year: str | None, today: date) -> date | None:
    number = next(n for n, name in enumerate(_MONTHS, start=1) if name.startswith(month.lower()[:3]))
    found = _made(int(year) if year else today.year, number, int(day))
    return _made(found.year + 1, number, int(day)) if found and not year and found < today else found


def _made(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


_READINGS: tuple[_Reading, ...] = (
    (_pattern(r"(\d{4})-(\d{2})-(\d{2})"), _iso),
    (
        _pattern(rf"(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\.?(?:,? (\d{{4}}))?"),
        lambda match, today: _day_month(match[1], match[2], match[3], today),
    ),
    (
        _pattern(rf"({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{4}}))?"),
        lambda match, today: _day_month(match[2], match[1], match[3], today),
    ),
    (_pattern("the day after tomorrow"), lambda _match, today: today + timedelta(days=2)),
    (_pattern("tomorrow"), lambda _match, today: today + timedelta(days=1)),
    (_pattern("(?:today|tonight|this evening)"), lambda _match, today: today),
    (_pattern(rf"(next |this |coming )?({'|'.join(_WEEKDAYS)})"), _weekday),
    (_pattern("(?:the )?end of (?:the|this) week"), lambda _match, today: today + timedelta(days=6 - today.weekday())),
    (_pattern("this week"), lambda _match, today: today + timedelta(days=6 - today.weekday())),
    (_pattern("next week"), lambda _match, today: today + timedelta(days=7 - today.weekday())),
    (_pattern(r"in (\w+) (day|week|month)s?"), _in_future),
)
