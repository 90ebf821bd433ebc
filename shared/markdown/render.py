"""From text to HTML."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from html import escape

from markdown_it.token import Token

from shared.markdown import wiki
from shared.markdown.parser import parser
from shared.markdown.policy import clean

RENDERED_CHARACTERS = 400_000
RENDERED_MARKS = 20_000
"""What is rendered of one text, in characters and in those that may be syntax: each costs, so that a text made of them
alone would take minutes. The rest follows as plain text."""

_MARK = re.compile(r"[\[\]!*_`~|&<>\n-]")
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")


def html(text: str, notes: Mapping[str, str] | None = None) -> str:
    """The text as HTML. Control characters and marks that turn the direction of writing are left out.

    `notes` has the ids of the notes that [[names]] in it lead to; without it such names stay as they are written.
    """
    readable = visible(text)
    end = _cut(readable)
    markup = clean(parser().render(readable[:end], {} if notes is None else {wiki.NOTES: notes}))
    rest = readable[end:].strip("\n")
    return f"{markup}<pre>{escape(rest)}</pre>\n" if rest else markup


def visible(text: str) -> str:
    """The text without what a reader cannot see and a terminal or a browser would obey."""
    return _UNSEEN.sub("", text)


def rendered(tokens: list[Token]) -> str:
    """Parsed blocks as HTML."""
    made = parser()
    return clean(made.renderer.render(tokens, made.options, {}))


def _cut(text: str) -> int:
    """Where rendering ends: at a blank line, if there is one."""
    most = min(len(text), RENDERED_CHARACTERS)
    last = next(itertools.islice(_MARK.finditer(text, 0, most), RENDERED_MARKS, None), None)
    end = last.start() if last is not None else most
    if end == len(text):
        return end
    blank = text.rfind("\n\n", 0, end)
    return blank if blank > 0 else end
