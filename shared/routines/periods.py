"""The stretch of time a routine tells of: a day or a week, UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone

from shared.contracts.routines import RoutineKind


@dataclass(frozen=True)
class Period:
    """`name` is a day such as 2026-11-30 or a week such as 2026-W48; `until` is the first moment after it."""

    kind: RoutineKind
    name: str
    since: datetime
    until: datetime

    def holds(self, moment: datetime | None) -> bool:
        return moment is not None and self.since <= moment < self.until


def current(kind: RoutineKind, now: datetime) -> Period:
    """The day or week that `now` lies in: what is told of on demand."""
    today = datetime.combine(now.astimezone(timezone.utc).date(), time(), timezone.utc)
    if kind is RoutineKind.DIGEST:
        return Period(kind, today.date().isoformat(), today, today + timedelta(days=1))
    monday = today - timedelta(days=today.weekday())
    year, week, _ = monday.isocalendar()
    return Period(kind, f"{year}-W{week:02d}", monday, monday + timedelta(days=7))


def around(kind: RoutineKind, day: date) -> Period:
    """The day itself, or the week that it lies in."""
    return current(kind, datetime.combine(day, time(), timezone.utc))


def last(kind: RoutineKind, now: datetime) -> Period:
    """The day or week before that one: what is told of by schedule, when it is over."""
    days = 1 if kind is RoutineKind.DIGEST else 7
    return current(kind, now - timedelta(days=days))
