"""Tokens of an expression (reference/syntax/expressions, reference/syntax/datatypes)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<double>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
    | (?P<integer>\d+)
    | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<operator>//|<=|>=|==|!=|[-+*/%<>.,()\[\]])
    | (?P<end>$)
    )""",
    re.VERBOSE | re.DOTALL,
)
WORDS = {word: word.lower() for base in ("and", "or", "not", "in") for word in (base, base.upper())}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\", "/": "/"}


class ExpressionError(Exception):
    """Text that is no expression."""


@dataclass(frozen=True)
class Token:
    """One token: kind is double, integer, string, name, operator or end; keywords are operators."""

    kind: str
    text: str
    column: int


def tokens(text: str) -> Iterator[Token]:
    """The tokens of `text`, the end included. Raises ExpressionError."""
    position = 0
    while True:
        found = _TOKEN.match(text, position)
        if found is None or found.lastgroup is None:
            raise ExpressionError(f"unexpected character {text[position:].lstrip()[:1]!r} at column {position + 1}")
        kind, content = found.lastgroup, found.group(found.lastgroup)
        column = found.start(found.lastgroup) + 1
        if kind == "name" and content in WORDS:
            kind, content = "operator", WORDS[content]
        yield Token(kind, content, column)
        if kind == "end":
            return
        position = found.end()


def string_value(token: Token) -> str:
    """What a string token stands for. Raises ExpressionError on an unknown escape."""

    def one(found: re.Match[str]) -> str:
        escape = found.group(1)
        if escape.startswith("u") and len(escape) == 5:
            return str(json.loads(f'"\\{escape}"'))
        if escape not in _SIMPLE:
            # Regular expressions are written in expressions as "\\d"; a lone "\d" keeps its backslash.
            return "\\" + escape
        return _SIMPLE[escape]

    return _ESCAPE.sub(one, token.text[1:-1])
