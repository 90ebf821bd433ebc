"""Keys: what is the same subject, property or thing has the same key, however it is written."""

from __future__ import annotations

from shared.search.words import words

ME = "me"
"""The key of the person whose memex it is."""
KEY_CHARACTERS = 200
_ME = frozenset({"i", "me", "myself", "my self", "the user", "user", "the person", "self"})
_BEFORE = frozenset({"the", "a", "an", "my", "our"})


def key_of(text: str) -> str:
    """The text folded, without what stands before a name; "I" and "myself" are "me". Empty for text without a word."""
    found = words(text)
    if " ".join(found) in _ME:
        return ME
    while len(found) > 1 and found[0] in _BEFORE:
        found = found[1:]
    return " ".join(found)[:KEY_CHARACTERS].strip()
