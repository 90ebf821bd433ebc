"""[[Title]] and [[Title|words]]: links to notes by their titles. One that names no note stands there as such."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

NAMES = 100
"""How many different notes one text may name; further names stand there as if there was no such note."""
NOTES = "notes"
"""Where a text's environment has the ids of notes by the names that it uses; without it the brackets are text."""

_NAMED = re.compile(r"\[\[([^\[\]|\n]{1,300})(?:\|([^\[\]|\n]{1,300}))?\]\]")


def named(text: str) -> tuple[str, ...]:
    """The names of notes in a text, each once, NAMES at most."""
    names = dict.fromkeys(match[1].strip() for match in _NAMED.finditer(text))
    return tuple(name for name in names if name)[:NAMES]


def titles(names: Iterable[str]) -> tuple[str, ...]:
    """The titles that notes of these names may have: as written, or with a capital at the beginning."""
    return tuple(dict.fromkeys(title for name in names for title in (name, name[:1].upper() + name[1:])))


def resolved(names: Iterable[str], found: Mapping[str, str]) -> dict[str, str]:
    """Ids by name, from ids by title."""
    return {name: found[title] for name in names for title in reversed(titles([name])) if title in found}


def links(state: StateCore) -> None:
    """A rule of the parser: names in running text become links, or say that there is no such note."""
    known = state.env.get(NOTES)
    if known is None:
        return
    for block in state.tokens:
        if block.children and "[[" in block.content:
            block.children = _linked(block.children, known)


def _linked(tokens: Sequence[Token], known: Mapping[str, str]) -> list[Token]:
    out: list[Token] = []
    depth = 0
    for token in tokens:
        depth += (token.type == "link_open") - (token.type == "link_close")
        if depth or token.type != "text" or "[[" not in token.content:
            out.append(token)
        else:
            out += _pieces(token.content, known)
    return out


def _pieces(text: str, known: Mapping[str, str]) -> list[Token]:
    out, end = [], 0
    for match in _NAMED.finditer(text):
        name = match[1].strip()
        shown = (match[2] or name).strip()
        note_id = known.get(name)
        out.append(Token("text", "", 0, content=text[end : match.start()]))
        end = match.end()
        if note_id is None:
            out.append(Token("missing", "", 0, content=match[0]))
            continue
        opening = Token("link_open", "a", 1, attrs={"href": f"#/notes/{quote(note_id, safe='')}"})
        out += [opening, Token("text", "", 0, content=shown), Token("link_close", "a", -1)]
    return [*out, Token("text", "", 0, content=text[end:])]
