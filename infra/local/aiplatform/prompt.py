"""What the caller gave: the text of an interaction's input, the topic and the notes inside it."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_NOTE = re.compile(r"<note\s+([^>]*)>(.*?)</note>", re.DOTALL)
_TOPIC = re.compile(r"<topic(?:\s+([^>]*))?>(.*?)</topic>", re.DOTALL)
_ATTRIBUTE = re.compile(r'([a-z_]+)="([^"]*)"')


@dataclass(frozen=True)
class Note:
    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Prompt:
    """The research task: what it is about and the notes it may be answered from."""

    title: str
    topic: str
    notes: tuple[Note, ...]


def parse_prompt(text: str) -> Prompt:
    """Read `<topic title="…">…</topic>` and the `<note id="…" title="…">…</note>` blocks out of a prompt.

    Without a topic block, the text outside the notes is the topic. Escapes (&lt; &amp; &quot;) are undone.
    """
    notes = tuple(_note(match) for match in _NOTE.finditer(text))
    rest = _NOTE.sub(" ", text)
    found = _TOPIC.search(rest)
    if found is None:
        return Prompt("", rest.strip(), notes)
    title = _attributes(found[1] or "").get("title", "")
    return Prompt(title.strip(), html.unescape(found[2]).strip(), notes)


def _note(match: re.Match[str]) -> Note:
    attributes = _attributes(match[1])
    return Note(attributes.get("id", ""), attributes.get("title", "").strip(), html.unescape(match[2]).strip())


def _attributes(text: str) -> dict[str, str]:
    return {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(text)}


def text_of(given: Any) -> str:
    """All text of an input, a content, a step or a list of them, parts separated by blank lines."""
    if isinstance(given, str):
        return given
    if isinstance(given, Mapping):
        if isinstance(given.get("text"), str):
            return str(given["text"])
        return text_of(given.get("content"))
    if isinstance(given, list | tuple):
        return "\n\n".join(text for text in map(text_of, given) if text)
    return ""


def user_steps(given: Any) -> list[Mapping[str, Any]]:
    """The input as the steps that a GET shows before the output's."""
    if isinstance(given, str):
        return [{"type": "user_input", "content": [{"type": "text", "text": given}]}]
    if isinstance(given, Mapping):
        return user_steps([given])
    if not isinstance(given, list) or not given:
        return []
    if all("content" in item for item in given):
        return list(given)
    return [{"type": "user_input", "content": given}]
