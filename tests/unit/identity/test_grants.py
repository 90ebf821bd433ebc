"""API_TOKENS as text and as values."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from shared.contracts.grants import Grant, digest_of, read, written
from shared.contracts.members import Role

A, B, C, D = ("a" * 64, "b" * 64, "c" * 64, "d" * 64)
NEW_YEAR = datetime(2027, 1, 1, tzinfo=timezone.utc)
VALUE = f"{A}=demo;{B}=demo:member@2027-01-01T00:00:00Z;{C}=w_2-x:reader;{D}=*:operator"
GRANTS = (
    Grant(A, "demo"),
    Grant(B, "demo", Role.MEMBER, NEW_YEAR),
    Grant(C, "w_2-x", Role.READER),
    Grant(D, "", Role.OPERATOR),
)


def test_what_is_read_is_written_as_it_was() -> None:
    assert read(VALUE) == GRANTS and written(GRANTS) == VALUE
    assert read("") == () and written(()) == ""


def test_blanks_capitals_and_other_zones_mean_the_same() -> None:
    assert read(f" {A.upper()} = demo:owner@2027-01-01T02:00:00+02:00 ; ") == (Grant(A, "demo", Role.OWNER, NEW_YEAR),)


@pytest.mark.parametrize(
    "entry",
    [
        "sesame=demo",
        f"{A}=",
        f"{A}=a b",
        f"{A}=demo:admin",
        f"{A}=demo:OWNER",
        f"{A}=demo:",
        f"{A}=*",
        f"{A}=*:owner",
        f"{A}=demo:operator",
        f"{A}=demo@tomorrow",
        f"{A}=demo@2027-01-01T00:00:00",
        f"{A}=demo@",
        f"{A}={'x' * 129}",
        f"{A}=../other",
    ],
)
def test_what_is_no_entry_is_refused_and_not_quoted(entry: str) -> None:
    with pytest.raises(ValueError) as refused:
        read(entry)
    assert "sesame" not in str(refused.value) and A not in str(refused.value)


def test_a_token_that_stands_there_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="once"):
        read(f"{A}=demo;{A.upper()}=other")


def test_a_token_ends_at_its_moment() -> None:
    grant = Grant(A, "demo", Role.OWNER, NEW_YEAR)
    assert grant.ended(NEW_YEAR) and not grant.ended(NEW_YEAR.replace(year=2026)) and not GRANTS[0].ended(NEW_YEAR)


def test_the_name_of_a_token_does_not_give_it_away() -> None:
    assert Grant(digest_of("sesame"), "demo").name == f"token-{digest_of('sesame')[:8]}"
