"""Days and moments, in the one form that each has."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from pydantic import TypeAdapter, ValidationError

from shared.contracts.base import UtcDatetime
from shared.contracts.days import moment_of


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-30", datetime(2026, 11, 30, 23, 59, 59, 999999, timezone.utc)),
        ("2026-11-30T12:00:00Z", datetime(2026, 11, 30, 12, tzinfo=timezone.utc)),
        ("2026-11-30T12:00:00+02:00", datetime(2026, 11, 30, 10, tzinfo=timezone.utc)),
    ],
)
def test_a_moment_is_the_end_of_a_day_or_has_a_zone(text: str, moment: datetime) -> None:
    assert moment_of(text) == moment


@pytest.mark.parametrize(
    "text", ["", "x", "2026-W48", "20261130", "2026-11-30T12:00:00", "2026-11-30 12:00Z", "2026-13-01"]
)
def test_what_is_no_moment_is_told_what_it_must_be(text: str) -> None:
    with pytest.raises(ValueError, match="must be a day such as 2026-11-30, or a moment"):
        moment_of(text)


@pytest.mark.parametrize("text", ["9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+14:00"])
def test_a_moment_that_utc_does_not_have_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be a day such as 2026-11-30, or a moment"):
        moment_of(text)
    with pytest.raises(ValidationError, match="must be a moment from year 1 to 9999, in UTC"):
        TypeAdapter(UtcDatetime).validate_python(text)
