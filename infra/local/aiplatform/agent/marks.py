"""The marked pieces of an agent's request: the goal, the task, what steps found, sources."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_ATTRIBUTE = re.compile(r'([a-z_]+)="([^"]*)"')


@dataclass(frozen=True)
class Piece:
    """A marked text with its attributes."""

    text: str
    attributes: Mapping[str, str]


def pieces(text: str, name: str) -> list[Piece]:
    """Every `<name …>…</name>` of a text, its escapes undone."""
    found = re.finditer(rf"<{name}(\s[^>]*)?>(.*?)</{name}>", text, re.DOTALL)
    return [Piece(html.unescape(match[2]).strip(), _attributes(match[1] or "")) for match in found]


def piece(text: str, name: str) -> str:
    """The first of them, empty without one."""
    return next((one.text for one in pieces(text, name)), "")


def said(content: Mapping[str, Any]) -> str:
    return "\n\n".join(str(part["text"]) for part in content.get("parts", ()) if part.get("text"))


def _attributes(text: str) -> dict[str, str]:
    return {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(text)}
