"""Cursors, paths and guards refuse what is not theirs."""

from __future__ import annotations

import base64
import json
from datetime import datetime, timezone

import pytest

from shared.errors import InputError
from shared.store import guards, paths
from shared.store.pages import cursor_of, parse_cursor

AT = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=timezone.utc)


def test_a_cursor_comes_back_as_it_was() -> None:
    assert parse_cursor(cursor_of({"created_at": AT}, "n_1-x")) == (AT, "n_1-x")


def encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "x",
        "é",
        "!!!!",
        "a" * 3999,
        encoded([1, 2]),
        encoded(["2026-01-01T00:00:00", "n"]),
        encoded(["2026-01-01T00:00:00Z", "a/b"]),
        encoded(["2026-01-01T00:00:00Z", ""]),
        encoded(["2026-01-01T00:00:00Z", 1]),
        encoded(["2026-01-01T00:00:00Z"]),
        encoded({"a": 1}),
        encoded("[" * 1000),
        base64.urlsafe_b64encode(b"[" * 2_900).decode(),
        encoded(["2026-01-01T00:00:00Z", "\ud800"]),
        encoded(["0001-01-01T00:00:00+23:59", "n"]),
        encoded(["9999-12-31T23:59:59-23:59", "n"]),
        encoded(["2026-01-01T00:00:00Z", ".."]),
        encoded(["2026-01-01T00:00:00Z", "a\x00"]),
        encoded(["2026-01-01T00:00:00Z", "__x__"]),
    ],
)
def test_what_is_no_cursor_is_refused_by_name(cursor: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_cursor(cursor)
    assert caught.value.details == {"field": "cursor"}


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "__x__", "a\x00", "\ud800", "é" * 751, "a" * 1501])
def test_an_id_never_adds_or_leaves_a_level(name: str) -> None:
    for path in (paths.note, paths.operation):
        with pytest.raises(InputError):
            path(name)


def test_event_ids_sort_by_number() -> None:
    names = [paths.event("notes/n", seq) for seq in (1, 2, 10, 99_999_999)]
    assert names == sorted(names) and names[0] == "notes/n/events/00000001"


@pytest.mark.parametrize("status", ["completed", "failed", "cancelled"])
def test_nothing_goes_on_after_an_end(status: str) -> None:
    with pytest.raises(guards.StreamEnded):
        guards.running({"status": status})


def test_a_cancel_is_told_from_other_ends() -> None:
    with pytest.raises(guards.Cancelled):
        guards.running({"status": "cancelled"})
    guards.running({"status": "running"})


@pytest.mark.parametrize("fence", [0, 1, 3])
def test_only_the_fence_that_holds_may_write(fence: int) -> None:
    guards.fenced({"fence": 2}, 2)
    with pytest.raises(guards.FenceLost) as caught:
        guards.fenced({"fence": 2}, fence)
    assert caught.value.details["held"] == 2
