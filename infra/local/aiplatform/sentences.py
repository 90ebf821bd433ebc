"""Whole sentences out of the markdown of a note, in order, with what belongs together kept together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from infra.local.aiplatform.prompt import Note

_FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.DOTALL | re.MULTILINE)
# No part of these may run over the next bracket: on a text made of brackets they would look at all of it from each.
_IMAGE = re.compile(r"!\[[^\[\]]*\]\([^)\[]*\)")
_LINK = re.compile(r"\[([^\[\]]+)\]\([^)\[\s][^)\[]*\)")
_HEADING = re.compile(r"^#{1,6}\s")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_SKIPPED = re.compile(r"^\s*(?:\||[-=*_]{3,}\s*$)")  # table rows and rules
# After a closing mark, white space and something that can open a sentence; or right after a full-width mark.
_BREAK = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[^\Wa-z_])|(?<=[。！？])")
_ABBREVIATION = re.compile(
    r"(?:(?i:\b(?:e\.g|i\.e|etc|vs|cf|ca|approx|no|fig|dr|mr|mrs|ms|prof|st|bzw|z\.\s?b|d\.\s?h|u\.a))|\b[A-Z])\.$"
)
_ABBREVIATED = 20  # characters in which the longest of them lies, with what stands before it
_ENDED = re.compile(r"[.!?。！？:][\"'”’)\]*_]*$")
_ASIDE = re.compile(r"(?:see|siehe|cf\.?|vgl\.?)\s", re.IGNORECASE)
_MOST = 700  # characters of a sentence worth citing


@dataclass(frozen=True)
class Sentence:
    """`block` numbers the paragraph within the note, `place` the sentence within the note."""

    note: Note
    text: str
    block: int
    place: int


def sentences_of(note: Note) -> list[Sentence]:
    """Every sentence of the note that can stand in a report; headings, code, tables and cut-off ends are left out."""
    blocks = list(_blocks(note.text))
    found: list[Sentence] = []
    for number, block in enumerate(blocks):
        for text in split_sentences(block):
            cut_off = number == len(blocks) - 1 and text.endswith(("…", "..."))
            if _ASIDE.match(text) or text.endswith(("?", "？", ":")) or _too_short(text):
                continue  # a pointer elsewhere, a question, the head of a list: none of them states anything
            if len(text) <= _MOST and not cut_off:
                found.append(Sentence(note, _closed(text), number, len(found)))
    return found


def split_sentences(text: str) -> list[str]:
    """The sentences of one paragraph; an abbreviation's full stop ends none."""
    pieces: list[str] = []
    start = 0
    for match in _BREAK.finditer(text):
        head = text[start : match.end()].strip()
        if head and not _ABBREVIATION.search(head[-_ABBREVIATED:]):
            pieces.append(head)
            start = match.end()
    return [*pieces, tail] if (tail := text[start:].strip()) else pieces


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs and list items, each on one line."""
    plain = _LINK.sub(r"\1", _IMAGE.sub("", _FENCE.sub("", text)))
    lines: list[str] = []
    for line in [*plain.splitlines(), ""]:
        bullet = _BULLET.match(line)
        apart = not line.strip() or bullet or _HEADING.match(line) or _SKIPPED.match(line)
        if apart and lines:
            yield " ".join(lines)
            lines = []
        if line.strip() and not _HEADING.match(line) and not _SKIPPED.match(line):
            item = _BULLET.sub("", line) if bullet else line
            lines.append(item.lstrip("> ").strip())


def _too_short(text: str) -> bool:
    """Under four words; in a script without spaces, under 24 bytes."""
    return len(text.split()) < 4 and (text.isascii() or " " in text or len(text.encode()) < 24)


def _closed(text: str) -> str:
    """The sentence with an end mark: a list item often has none."""
    return text if _ENDED.search(text) or text.endswith("…") else text + "."
