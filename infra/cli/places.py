"""Links to the page's own places lead nowhere from a terminal: the ids that they name are said instead."""

from __future__ import annotations

import re
from urllib.parse import unquote

_WORDS = r"\[((?:[^\[\]\n\\]|\\.){0,300})\]"
_LINK = re.compile(rf"{_WORDS}\((?:#/|memex://)(notes|documents|chat)/([^\s/?#()]{{1,1500}})(?:\?page=(\d+))?\)")
_BEGUN = re.compile(r"\[(?:[^\[\]\n\\]|\\.){0,300}(?:\](?:\([^\s()]{0,1600})?)?\Z")
"""The beginning of what may become a link."""


def spelled(text: str) -> str:
    """The text with `[words](#/notes/id)` as `words (note id)`, and likewise for documents and chats."""
    return _LINK.sub(_spelled, text)


def _spelled(match: re.Match[str]) -> str:
    words, kind, identifier, page = match.groups()
    return f"{words} ({kind.removesuffix('s')} {unquote(identifier)}{f', page {page}' if page else ''})"


class Spelling:
    """The same for a text that comes in pieces."""

    def __init__(self) -> None:
        self._held = ""

    def add(self, piece: str) -> str:
        """What can be shown by now."""
        text = spelled(self._held + piece)
        begun = _BEGUN.search(text)
        at = begun.start() if begun else len(text)
        self._held = text[at:]
        return text[:at]

    def rest(self) -> str:
        """What was held back for what has not come."""
        held, self._held = self._held, ""
        return held
