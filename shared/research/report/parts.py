"""The texts of a run's model_output steps, in order, joined to one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.contracts.limits import NOTE_BODY_BYTES

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
    cut: bool = False
    """Whether there was more text than a note can hold."""


def join(steps: Sequence[Mapping[str, Any]]) -> Joined:
    """All text of the model_output steps; what is no text (images, thoughts, unknown types) is passed over.

    At most NOTE_BODY_BYTES: what a note cannot hold is not worth the minutes that reading it can take.
    """
    texts, parts = list[str](), list[Part]()
    characters, left, before = 0, NOTE_BODY_BYTES, ""
    for position, content in _contents(steps):
        whole = _clean(content["text"])
        if position == 0:
            texts.append(_glue(before, whole))
            characters += len(texts[-1])
        piece = whole.encode()[:left].decode(errors="ignore")
        left -= len(piece.encode())
        parts.append(Part(characters, piece, tuple(_annotations(content, None if piece == whole else piece))))
        texts.append(piece)
        characters += len(piece)
        before = piece or before
        if piece != whole:
            return Joined("".join(texts), tuple(parts), cut=True)
    return Joined("".join(texts), tuple(parts))


def _contents(steps: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The texts of all steps, each with its place in its step."""
    for step in steps:
        yield from enumerate(_texts(step))


def _annotations(content: Mapping[str, Any], cut: str | None) -> Iterator[Mapping[str, Any]]:
    """The annotations of a text; of one that was cut those that lie before the cut."""
    given = content.get("annotations")
    end = None if cut is None else len(cut.encode())
    for item in given if isinstance(given, list) else []:
        if isinstance(item, dict) and (end is None or (isinstance(at := item.get("end_index"), int) and at <= end)):
            yield item


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
