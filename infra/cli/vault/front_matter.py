"""The YAML at the head of a Markdown file: read so that nothing in it can be more than text, written so that it is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

FRONT_BYTES = 200_000
_LEVELS = 20
_FENCE = re.compile(r"\A---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)


class BadFrontMatter(Exception):
    """It stands there, and is no YAML that a note may have; the message is one line."""


def split(text: str) -> tuple[dict[str, Any], str]:
    """The fields and what comes after them; no fields where the file begins otherwise. Raises BadFrontMatter.

    Every value is text, or a list or a map of text.
    """
    found = _FENCE.match(text)
    if found is None:
        return {}, text
    if len(found[1]) > FRONT_BYTES:
        raise BadFrontMatter("its front matter is too long")
    return _parsed(found[1]), text[found.end() :]


def joined(fields: Mapping[str, Any], body: str) -> str:
    """A file: the fields in their order, an empty line, the body."""
    import yaml

    head = yaml.safe_dump(dict(fields), allow_unicode=True, sort_keys=False, width=100_000, default_flow_style=None)
    end = "" if not body or body.endswith("\n") else "\n"
    return f"---\n{head}---\n\n{body}{end}"


def _parsed(text: str) -> dict[str, Any]:
    import yaml

    class Plain(yaml.BaseLoader):
        """Scalars stay text; a value that refers to another could be made to stand for very much."""

        levels = 0

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise BadFrontMatter("its front matter refers to itself (YAML aliases)")
            self.levels += 1
            if self.levels > _LEVELS:
                raise BadFrontMatter("its front matter is nested too deeply")
            node = super().compose_node(parent, index)
            self.levels -= 1
            return node

    try:
        given = yaml.load(text, Loader=Plain)  # noqa: S506 - the loader that makes nothing but text
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        where = f" in line {line + 2}" if isinstance(line, int) else ""
        raise BadFrontMatter(f"its front matter is no YAML{where}") from error
    if given in (None, ""):
        return {}
    if not isinstance(given, dict) or not all(isinstance(name, str) for name in given):
        raise BadFrontMatter("its front matter is no list of names and values")
    if not _is_text(given):
        raise BadFrontMatter("its front matter has halves of characters (\\ud800 to \\udfff)")
    return given


def _is_text(given: Any) -> bool:
    """Whether it can be written down at all: YAML lets half a character be escaped, and nothing else takes it."""
    try:
        json.dumps(given, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
