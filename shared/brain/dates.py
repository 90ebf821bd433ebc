"""Days as people write them, as the moments at which they begin (UTC)."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta, timezone

_NAMES = [
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
_MONTH = (
    "(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?"
)
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})(?!\d)(?:st|nd|rd|th|\.)?"
_FORMS = tuple(
    re.compile(form, re.I)
    for form in (
        rf"\b{_YEAR}-(?P<number>\d\d)(?:-(?P<day>\d\d))?\b",
        rf"\b{_DAY} (?:of )?{_MONTH},? {_YEAR}\b",
        rf"\b{_MONTH} {_DAY},? {_YEAR}\b",
        rf"\b{_DAY} (?:of )?{_MONTH}(?!\w)",
        rf"\b{_MONTH} {_DAY}(?!\w)",
        rf"\b{_MONTH},? (?:of )?{_YEAR}\b",
        rf"\b{_YEAR}\b",
    )
)
_RELATIVE = {"today": 0, "yesterday": -1, "tomorrow": 1}
_WORD = re.compile(r"\b(today|yesterday|tomorrow)\b", re.I)
WHEN = (
    r"(?:the )?(?:\d{4}-\d\d(?:-\d\d)?|\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?[A-Za-z]{3,9}\.?,?(?: \d{4})?|"
    r"[A-Z][a-z]{2,8}\.? \d{1,2}(?!\d)(?:st|nd|rd|th)?,?(?: \d{4})?|[A-Z][a-z]{2,8}\.?,? \d{4}|"
    r"\d{4}|today|yesterday|tomorrow)"
)
"""How a day, a month or a year is written within a sentence; as a part of a pattern."""


def day_in(text: str, said_at: datetime) -> datetime | None:
    """The first day, month or year that the text names, as its beginning; without a year the nearest to `said_at`."""
    if word := _WORD.search(text):
        return _moment(said_at.date() + timedelta(days=_RELATIVE[word[1].lower()]))
    for form in _FORMS:
        if (found := form.search(text)) is not None and (day := _day(found, said_at)) is not None:
            return _moment(day)
    return None


def written(text: str) -> datetime | None:
    """The beginning of YYYY-MM-DD, YYYY-MM or YYYY; None for anything else. A time behind the day is dropped."""
    found = re.match(r"\s*(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?", text)
    if found is None:
        return None
    try:
        return _moment(date(int(found[1]), int(found[2] or 1), int(found[3] or 1)))
    except ValueError:
        return None


def _day(found: re.Match[str], said_at: datetime) -> date | None:
    given = found.groupdict()
    month = int(given["number"]) if given.get("number") else _month(given.get("month"))
    day = int(given.get("day") or 1)
    if given.get("year"):
        return _date(int(given["year"]), month, day)
    near = [one for off in (-1, 0, 1) if (one := _date(said_at.year + off, month, day)) is not None]
    return min(near, key=lambda one: abs((one - said_at.date()).days), default=None)


def _date(year: int, month: int, day: int) -> date | None:
    """None where there is no such day; a 29 February is one in some years."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _month(name: str | None) -> int:
    return next((n for n, one in enumerate(_NAMES, 1) if name and one.startswith(name.lower()[:3])), 1)


def _moment(day: date) -> datetime:
    return datetime.combine(day, time(), timezone.utc)
