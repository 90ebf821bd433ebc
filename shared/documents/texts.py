"""Bytes as text, text as it may be stored, and text in pieces."""

from __future__ import annotations

import codecs
import re

from shared.contracts.limits import CHUNK_CHARACTERS

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
BOMS = tuple(mark for mark, _ in _MARKS)
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
_ENDS = ("\n\n", "\n", ". ", "? ", "! ", "; ", " ")
"""Where a piece ends best, the best first."""
_BLANKS = re.compile(r"[ \t\u00a0]+$", re.M)
_LINES = re.compile(r"\n{4,}")


def decoded(data: bytes) -> str:
    """What the bytes say: by their mark, as UTF-8, or else as Windows' Latin. Never fails."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def clean(text: str) -> str:
    """Without controls and what is no character, lines without blanks at their ends."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0b", "\n").replace("\x0c", "\n")
    return _LINES.sub("\n\n\n", _BLANKS.sub("", _HIDDEN.sub("", text))).strip("\n")


def pieces(text: str, longest: int = CHUNK_CHARACTERS) -> list[str]:
    """The text in pieces of at most `longest` characters that give it again when joined, cut where a thought ends."""
    found, start = list[str](), 0
    while start < len(text):
        end = _end(text, start, longest)
        found.append(text[start:end])
        start = end
    return found


def _end(text: str, start: int, longest: int) -> int:
    if len(text) - start <= longest:
        return len(text)
    window = text[start : start + longest]
    for mark in _ENDS:
        at = window.rfind(mark)
        if at >= longest // 2:
            return start + at + len(mark)
    return start + longest
