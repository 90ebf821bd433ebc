"""Path patterns of Firestore triggers: `users/{user}`, `*` for one segment, `{rest=**}` for any number."""

from __future__ import annotations

import re
from functools import lru_cache


class BadPattern(ValueError):
    """A pattern that Eventarc would refuse."""


@lru_cache(maxsize=256)
def compiled(pattern: str) -> re.Pattern[str]:
    """A regular expression for whole document paths, such as users/ada. Raises BadPattern."""
    parts = [_segment(segment) for segment in pattern.strip("/").split("/")]
    return re.compile("/".join(parts))


def matches(pattern: str, path: str) -> bool:
    """Whether a document path, relative to the database's root, matches the whole pattern."""
    return compiled(pattern).fullmatch(path) is not None


def _segment(segment: str) -> str:
    if segment == "**" or re.fullmatch(r"\{\w+=\*\*\}", segment):
        return ".+"
    if segment == "*" or re.fullmatch(r"\{\w+(=\*)?\}", segment):
        return "[^/]+"
    if not segment or re.search(r"[{}]", segment):
        raise BadPattern(f"{segment!r} is no segment of a path pattern")
    return "[^/]*".join(re.escape(part) for part in segment.split("*"))
