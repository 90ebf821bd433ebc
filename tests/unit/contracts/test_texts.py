"""Titles show what they are: nothing hidden, nothing that turns the text around it."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from shared.contracts.chat import MessageCreate, SessionCreate, SessionPatch
from shared.contracts.notes import NoteCreate, NotePatch
from shared.contracts.runs import RunCreate
from shared.contracts.tasks import TaskCreate, TaskPatch
from shared.tools.create_note import Arguments

INVISIBLE = ["\u0000", "\u200b", "\u202e\u2066", "\u2060\ufeff", "\u00ad", "\u3164", "\u2800", "\u200d\ufe0f", " \t\n"]


@pytest.mark.parametrize("text", INVISIBLE)
@pytest.mark.parametrize("model", [NoteCreate, NotePatch, SessionCreate])
def test_a_title_that_may_be_empty_is_empty_when_nothing_of_it_can_be_seen(model: Any, text: str) -> None:
    assert model(title=text).title == ""


@pytest.mark.parametrize("text", INVISIBLE)
@pytest.mark.parametrize(
    ("model", "field"),
    [
        (TaskCreate, "title"),
        (TaskPatch, "title"),
        (SessionPatch, "title"),
        (MessageCreate, "text"),
        (RunCreate, "goal"),
    ],
)
def test_what_must_say_something_is_refused_when_nothing_of_it_can_be_seen(
    model: type[BaseModel], field: str, text: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        model.model_validate({field: text})
    assert caught.value.errors()[0]["loc"] == (field,)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Pay\u202egro.live\u202c now", "Paygro.live now"),
        ("two\nlines\u2028three\x1b[31m", "two lines three [31m"),
        ("re\u200bsearch", "research"),
        ("family 👨\u200d👩\u200d👧 ❤\ufe0f", "family 👨\u200d👩\u200d👧 ❤\ufe0f"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("שלום world", "שלום world"),
    ],
)
def test_what_is_hidden_in_a_title_goes_and_what_is_meant_stays(given: str, shown: str) -> None:
    assert NoteCreate(title=given).title == shown == Arguments(title=given, body="x").title
    assert TaskCreate(title=given).title == shown == SessionPatch(title=given).title


def test_a_message_is_kept_as_it_was_written() -> None:
    assert MessageCreate(text="a\u200bb\nc").text == "a\u200bb\nc"


@pytest.mark.parametrize("tag", ["re\u200bsearch", "\u200b", "a\x00b"])
def test_a_tag_hides_nothing(tag: str) -> None:
    with pytest.raises(ValidationError):
        NoteCreate(tags=(tag,))
