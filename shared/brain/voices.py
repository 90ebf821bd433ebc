"""Who says what in a text that a person has written down: their own words, an assistant's, or somebody else's."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal

from shared.brain.sentences import Span

Voice = Literal["person", "assistant", "other"]

_LINE = re.compile(r"[^\n]*\n?")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_QUOTED = re.compile(r"\s*>")
_PERSON = re.compile(r"\s*[*_]{0,2}(?:me|i|myself|user|human|you|q)[*_]{0,2}\s*:[*_]{0,2}(?:\s|$)", re.I)
_ASSISTANT = re.compile(
    r"\s*[*_#]{0,3}\s*(?:assistant|ai|a\.i\.|bot|chatbot|model|llm|chatgpt|gpt[-\w.]*|gemini|claude|copilot|memex|system|tool)"
    r"(?:\s+(?:said|says|answered|replied|wrote))?[*_]{0,2}\s*:[*_]{0,2}(?:\s|$)",
    re.I,
)
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")


class Voices:
    """Of one text: whose words stand at a place, however long the text is."""

    def __init__(self, text: str) -> None:
        self._lines = list(voices(text))
        self._starts = [place.start for place, _ in self._lines]

    def at(self, span: Span) -> Voice:
        """The person's only where all of the lines there are."""
        for place, voice in self._lines[max(0, bisect_right(self._starts, span.start) - 1) :]:
            if place.start >= span.end:
                break
            if voice != "person" and span.start < place.end:
                return voice
        return "person"


def voices(text: str) -> Iterator[tuple[Span, Voice]]:
    """The lines with their voices. What is quoted or fenced is somebody else's.

    What follows "Assistant:" is the assistant's, until the person is named again, a heading comes, or, where the person
    is never named, a blank line.
    """
    told_apart = any(_PERSON.match(line[0]) for line in _LINE.finditer(text))
    voice: Voice = "person"
    fenced = False
    for line in _LINE.finditer(text):
        if not line[0]:
            continue
        if _FENCE.match(line[0]):
            fenced = not fenced
            yield Span(line.start(), line.end()), "other"
            continue
        if not fenced:
            voice = _next(voice, line[0], told_apart)
        quoted = fenced or _QUOTED.match(line[0]) is not None
        yield Span(line.start(), line.end()), "other" if quoted and voice == "person" else voice


def _next(voice: Voice, line: str, told_apart: bool) -> Voice:
    if _ASSISTANT.match(line):
        return "assistant"
    ended = _PERSON.match(line) or _HEADING.match(line) or (not told_apart and not line.strip())
    return "person" if ended else voice
