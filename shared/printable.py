"""Text from outside on its way into a message, a log or a document: it moves no cursor and colours no terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    """`text` with control characters and lone surrogates as escapes; line breaks and tabs become blanks."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()
