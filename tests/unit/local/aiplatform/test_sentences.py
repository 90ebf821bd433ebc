"""Notes that are hard to read: no text may keep the emulated model, and with it the whole local cloud, busy."""

from __future__ import annotations

import time

import pytest

from infra.local.aiplatform.prompt import Note
from infra.local.aiplatform.sentences import sentences_of


@pytest.mark.parametrize("piece", ["[a](", "![a](", "[a](b", "[", "![", "A. ", "etc. "])
def test_a_text_made_of_marks_takes_time_in_proportion(piece: str) -> None:
    began = time.process_time()
    sentences_of(Note("n1", "", piece * 6_000))
    assert time.process_time() - began < 2


def test_links_leave_their_text_and_images_nothing() -> None:
    text = "The [battery](https://a.example/b?c=1) holds ![a graph](https://a.example/g.png) for ten years."
    assert [one.text for one in sentences_of(Note("n1", "", text))] == ["The battery holds  for ten years."]
