"""What is wrong with what somebody sent is said by field, and never with what was sent."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError, field_validator

from shared.contracts.members import MemberPut
from shared.invalid import invalid, problems


class Asked(BaseModel):
    tags: list[int] = []
    title: str = ""

    @field_validator("title")
    @classmethod
    def _short(cls, title: str) -> str:
        if len(title) > 3:
            raise ValueError("three letters at most")
        return title


def refused(given: Any) -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        Asked.model_validate(given)
    return caught.value


def test_each_field_is_named_by_its_path_with_what_it_must_be() -> None:
    found = problems(refused({"tags": [1, "secret"], "title": "long"}), within="note")
    assert [field for field, _ in found] == ["note.tags.1", "note.title"]
    assert found[1][1] == "three letters at most" and not any("secret" in message for _, message in found)


def test_what_is_wrong_as_a_whole_has_the_name_of_the_whole() -> None:
    assert problems(refused("text"), whole="the answer")[0][0] == "the answer"
    assert problems(refused("text"), within="input")[0][0] == "input"


def test_the_first_problem_is_the_message_and_all_are_details() -> None:
    error = invalid(refused({"tags": ["a", "b"], "title": "long"}))
    assert error.message.startswith("tags.0: ") and error.details["field"] == "tags.0"
    assert [one["field"] for one in error.details["errors"]] == ["tags.0", "tags.1", "title"]


def test_a_value_that_must_be_one_of_some_is_told_without_how_python_writes_them() -> None:
    with pytest.raises(ValidationError) as caught:
        MemberPut.model_validate({"role": "king"})
    assert problems(caught.value) == [("role", "Input should be 'reader', 'member' or 'owner'")]
