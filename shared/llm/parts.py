"""The parts of a message: what it says, what was thought, which calls it makes."""

from __future__ import annotations

from collections.abc import Sequence

from shared.llm.port import Call, Part, Text, Thought


def text_of(parts: Sequence[Part]) -> str:
    """What was said, without thoughts and calls; storable (see `clean`)."""
    return clean("".join(part.text for part in parts if isinstance(part, Text))).strip()


def thought_of(parts: Sequence[Part]) -> str:
    """The thoughts, storable."""
    return clean("\n\n".join(part.text for part in parts if isinstance(part, Thought))).strip()


def calls_of(parts: Sequence[Part]) -> list[Call]:
    """The calls in their order."""
    return [part for part in parts if isinstance(part, Call)]


def clean(text: str) -> str:
    """Without lone surrogates, which a model's JSON may spell and neither UTF-8 nor Firestore can hold."""
    return text.encode(errors="replace").decode()
