"""The texts of a run's model_output steps, in order, joined to one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_BLOCK = re.compile(r"(#{1,6} |[-*+] |\d{1,3}[.)] |\||>|```|~~~)")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_SENTENCE_END = (".", "!", "?", ":", "…", '"', ")", "*", "|")


@dataclass(frozen=True)
class Part:
    """One text content: where it begins in the joined text (in characters), and its annotations as they came."""

    start: int
    text: str
    annotations: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Joined:
    text: str
    parts: tuple[Part, ...]


def join(steps: Sequence[Mapping[str, Any]]) -> Joined:
    """All text of the model_output steps; what is no text (images, thoughts, unknown types) is passed over."""
    text, parts = "", []
    for step in steps:
        for position, content in enumerate(_texts(step)):
            piece = _clean(content["text"])
            if position == 0:
                text += _glue(text, piece)
            annotations = content.get("annotations")
            kept = [item for item in annotations if isinstance(item, dict)] if isinstance(annotations, list) else []
            parts.append(Part(len(text), piece, tuple(kept)))
            text += piece
    return Joined(text, tuple(parts))


def text_of(step: Mapping[str, Any]) -> str:
    """The text of one step, without markup of any kind added."""
    return "".join(content["text"] for content in _texts(step))


def _texts(step: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if step.get("type") != "model_output":
        return
    contents = step.get("content")
    for content in contents if isinstance(contents, list) else [contents]:
        given = {"text": content} if isinstance(content, str) else content
        if isinstance(given, dict) and given.get("type", "text") == "text" and isinstance(given.get("text"), str):
            yield given


def _clean(text: str) -> str:
    """Lone surrogates and NULs, which no store takes, give way to characters of the same width in bytes."""
    return _SURROGATE.sub("\ufffd", text).replace("\0", " ")


def _glue(before: str, after: str) -> str:
    """What stands between two steps: nothing inside a sentence, a blank line where a new block begins."""
    if not before or not after or before[-1].isspace() or after[0].isspace():
        return ""
    return "\n\n" if _BLOCK.match(after) or before.endswith(_SENTENCE_END) else ""
