"""Days without a time of day: one form wherever a person or a model writes one."""

from __future__ import annotations

from datetime import date, datetime, time, timezone
from typing import Annotated, Any

from pydantic import BeforeValidator

MUST_BE = "must be a day such as 2026-11-30"
MUST_BE_MOMENT = "must be a day such as 2026-11-30, or a moment such as 2026-11-30T12:00:00Z"


def day_of(text: str) -> date:
    """The day of a text of the form YYYY-MM-DD. Raises ValueError for any other: a week's form, a moment, a number."""
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise ValueError(MUST_BE) from error
    if day.isoformat() != text:
        raise ValueError(MUST_BE)
    return day


def moment_of(text: str) -> datetime:
    """The moment of an RFC 3339 text, or the last one of a day (UTC). Raises ValueError for any other text."""
    try:
        return datetime.combine(day_of(text), time.max, timezone.utc)
    except ValueError:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            moment = None
    if moment is None or moment.tzinfo is None or "T" not in text:
        raise ValueError(MUST_BE_MOMENT)
    try:
        return moment.astimezone(timezone.utc)
    except OverflowError as error:  # the first or the last day there is, in a zone where UTC has another
        raise ValueError(MUST_BE_MOMENT) from error


def _day(given: Any) -> date:
    if isinstance(given, date) and not isinstance(given, datetime):
        return given
    if not isinstance(given, str):
        raise ValueError(MUST_BE)
    return day_of(given)


Day = Annotated[date, BeforeValidator(_day)]
