"""Event data always fits its document, and says where something was cut."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest

from shared.contracts.limits import EVENT_BYTES
from shared.store.event_size import cut_text, fitted, size


def test_what_fits_stays_as_it_is() -> None:
    data = {"a": "x" * 1000, "b": [1, 2.5, None, True], "c": {"d": "é"}}
    assert fitted(data) == data


@pytest.mark.parametrize(
    "data",
    [
        {"text": "漢" * 100_000},
        {"texts": ["a" * 5_000] * 100},
        {"texts": ["a" * 100] * 5_000},
        {"numbers": list(range(100_000))},
        {"k" * 70_000: 1},
    ],
)
def test_what_does_not_fit_is_cut_with_a_marker(data: dict[str, Any]) -> None:
    cut = fitted(data)
    assert size(cut) <= EVENT_BYTES
    assert "cut" in str(cut)


def test_a_long_text_keeps_its_beginning_and_its_neighbours() -> None:
    cut = fitted({"text": "begin " + "z" * 200_000, "url": "https://example.org/"})
    assert cut["text"].startswith("begin zz") and cut["text"].endswith(" bytes cut]")
    assert cut["url"] == "https://example.org/"


def test_a_cut_never_falls_inside_a_character() -> None:
    text = cut_text("é" * 1000, 301)
    assert len(text.encode()) <= 301 and "\ufffd" not in text
    assert f"{2000 - len(text.partition(' […')[0].encode())} bytes cut" in text


def test_what_firestore_cannot_hold_becomes_text() -> None:
    deep: dict[str, Any] = {}
    for _ in range(30):
        deep = {"d": deep}
    fixed = fitted({"nested": [[1, 2]], "big": 2**70, "deep": deep, "": 1, "lone": "\ud800", "nan": float("nan")})
    assert fixed["nested"] == ["[1, 2]"] and fixed["big"] == str(2**70) and fixed["_"] == 1
    assert fixed["lone"] == "?" and fixed["nan"] == "nan"
    assert str(fixed["deep"]).count("{") <= 31 and isinstance(fixed["deep"], dict)


def test_models_values_become_json() -> None:
    assert fitted({"at": datetime(2026, 1, 1, tzinfo=timezone.utc), "set": ("a", "b")}) == {
        "at": "2026-01-01T00:00:00Z",
        "set": ["a", "b"],
    }


def test_names_that_firestore_does_not_take_become_others() -> None:
    made = fitted({"__x__": 1, "": 2, "____": {"__y__": [{"__z__": 3}]}, "_a_": 4, "n" * 2_000: 5})
    assert made.pop("x") == 1 and made.pop("_a_") == 4 and made.pop("_") == {"y": [{"z": 3}]}
    ((name, value),) = made.items()
    assert value == 5 and len(name) <= 1_500 and fitted({name: value}) == {name: value}
