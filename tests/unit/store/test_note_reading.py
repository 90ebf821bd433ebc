"""Any client may write notes; whatever it wrote, reading gives a note and says what was wrong."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest

from shared.contracts.notes import Note, NoteKind
from shared.store.note_reading import NoteReading, read_note

MADE = datetime(2026, 1, 1, tzinfo=timezone.utc)
WRITTEN = datetime(2026, 1, 2, tzinfo=timezone.utc)


def read(fields: dict[str, Any]) -> NoteReading:
    return read_note("n1", fields, created_at=MADE, updated_at=WRITTEN)


def whole(**changes: Any) -> dict[str, Any]:
    return Note(id="n1", title="t", body="b", body_bytes=1, created_at=MADE, updated_at=WRITTEN).model_dump() | changes


def test_a_whole_document_needs_nothing() -> None:
    reading = read(whole())
    assert reading.note == Note.model_validate(whole())
    assert (reading.missing, reading.invalid, reading.untidy, reading.repairs) == ((), (), (), {})


def test_a_title_of_any_length_has_a_name_that_fits() -> None:
    assert read(whole(title="T" * 1_000_000)).name == "T" * 300
    assert read(whole(title="", body="\n## First\nsecond")).name == "First"
    assert read(whole(title="", body="x" * 1_000)).name == "x" * 300


def test_an_empty_document_is_filled_in_from_its_times() -> None:
    reading = read({})
    assert reading.note == Note(id="n1", created_at=MADE, updated_at=WRITTEN)
    assert reading.repairs == reading.note.model_dump() and reading.invalid == ()


def test_what_a_plain_client_writes_gets_what_the_api_would_have_added() -> None:
    reading = read({"title": "t", "body": "é", "tags": ["Research ", "research", "a"]})
    assert reading.note.tags == ("research", "a") and reading.untidy == ("tags",)
    assert reading.repairs["tags"] == ("research", "a")
    assert reading.repairs["body_bytes"] == 2 and reading.repairs["kind"] == "capture"
    assert "title" not in reading.repairs and "body" not in reading.repairs


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("title", 7),
        ("title", None),
        ("body", {"a": 1}),
        ("body", b"\xff"),
        ("tags", "research"),
        ("tags", {"research": True}),
        ("kind", "insight"),
        ("kind", ["capture"]),
        ("citations", "none"),
        ("citations", [{"n": "x"}]),
        ("partial", {}),
        ("source_note_id", 3),
    ],
)
def test_a_wrong_value_of_the_user_is_reported_and_left_alone(name: str, value: Any) -> None:
    reading = read(whole(**{name: value}))
    assert reading.invalid == (name,) and reading.repairs == {}
    assert isinstance(Note.model_validate(reading.note.model_dump()), Note)


@pytest.mark.parametrize(
    ("name", "value", "repaired"),
    [
        ("id", "another", "n1"),
        ("created_at", "yesterday", MADE),
        ("created_at", "2026-01-01T00:00:00Z", MADE),
        ("created_at", 1_767_225_600, MADE),
        ("created_at", datetime(9999, 12, 31, 1, tzinfo=timezone.utc), MADE),
        ("updated_at", "2026-01-02", WRITTEN),
        ("seq", "7", 0),
        ("parts", True, 0),
        ("updated_at", None, WRITTEN),
        ("parts", 10**9, 0),
        ("parts", -1, 0),
        ("seq", "many", 0),
        ("body_bytes", {}, 1),
        ("v", "one", 1),
    ],
)
def test_a_wrong_value_of_ours_is_put_right(name: str, value: Any, repaired: Any) -> None:
    reading = read(whole(**{name: value}))
    assert reading.invalid == (name,) and reading.repairs == {name: repaired}


def test_tags_that_are_partly_wrong_keep_the_others() -> None:
    reading = read(whole(tags=["research", 7, None]))
    assert reading.note.tags == ("research",) and reading.invalid == ("tags",)


def test_an_unknown_kind_reads_as_a_capture() -> None:
    assert read(whole(kind="insight")).note.kind is NoteKind.CAPTURE
