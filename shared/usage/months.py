"""Months of usage: UTC, by name yyyy-mm."""

from __future__ import annotations

from datetime import datetime, timezone


def month_of(moment: datetime) -> str:
    """The month in which a moment lies, such as 2026-11."""
    return moment.astimezone(timezone.utc).strftime("%Y-%m")


def month_after(month: str) -> datetime:
    """The moment at which the month after that one begins."""
    year, number = map(int, month.split("-"))
    return datetime(year + number // 12, number % 12 + 1, 1, tzinfo=timezone.utc)
