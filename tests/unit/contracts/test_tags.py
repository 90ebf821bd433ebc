"""How a tag is written and what it becomes."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from shared.contracts.notes import NoteCreate, NotePatch


@pytest.mark.parametrize("written", ["research", "#Research", " #research ", "##RESEARCH"])
def test_a_tag_is_the_same_however_it_is_written(written: str) -> None:
    assert NoteCreate(tags=(written,)).tags == ("research",)
    assert NotePatch(remove_tags=(written,)).remove_tags == ("research",)


@pytest.mark.parametrize("written", ["#", "two words", "a\tb", "", "# research"])
def test_a_tag_is_one_word(written: str) -> None:
    with pytest.raises(ValidationError):
        NoteCreate(tags=(written,))
