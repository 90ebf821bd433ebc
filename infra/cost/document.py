"""docs/cost.md: what is written by hand stays, what lies between markers is made anew."""

from __future__ import annotations

import re

from infra.cost.book import Book, book
from infra.cost.tables import TABLES

_PART = re.compile(r"<!-- (?P<name>[a-z-]+) -->\n.*?<!-- /(?P=name) -->", re.DOTALL)


def with_tables(text: str, of: Book | None = None) -> str:
    """The document with its tables made anew. Raises KeyError for a marker that names no table."""
    figures = of or book()
    return _PART.sub(lambda part: _made(part["name"], figures), text)


def marked(text: str) -> list[str]:
    """The names of the tables that the document has."""
    return [part["name"] for part in _PART.finditer(text)]


def _made(name: str, figures: Book) -> str:
    return f"<!-- {name} -->\n{TABLES[name](figures)}\n<!-- /{name} -->"
