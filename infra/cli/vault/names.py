"""Names of files: as readable as the titles, and good on every system and for Obsidian's links."""

from __future__ import annotations

import re
import unicodedata

_BYTES = 150
_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f\\/:*?"<>|#^\[\]\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+')
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")
_SUFFIX = 6


class Names:
    """Gives each note a name that no other has, whatever the case of its letters."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, name: str) -> bool:
        """Whether the name was free; from now on it is not."""
        key = _key(name)
        if key in self._taken:
            return False
        self._taken.add(key)
        return True

    def of(self, title: str, note_id: str) -> str:
        """A name for the note of that title, with a piece of its id where another note has it already."""
        plain = stem_of(title)
        if self.take(plain):
            return plain
        tail = re.sub(r"[^A-Za-z0-9]", "", note_id)[-_SUFFIX:].lower() or "x"
        for name in (f"{plain} ({tail})", *(f"{plain} ({tail} {n})" for n in range(2, 10_000))):
            if self.take(name):
                return name
        raise AssertionError("ten thousand notes of one name")


def stem_of(title: str) -> str:
    """The title as the name of a file, without an ending: 150 bytes at most."""
    text = _UNSAFE.sub(" ", unicodedata.normalize("NFC", title.encode(errors="replace").decode()))
    text = " ".join(text.split()).strip(". ")
    text = text.encode()[:_BYTES].decode(errors="ignore").strip(". ")
    if not text:
        return "Untitled"
    return f"{text}_" if _RESERVED.fullmatch(text) else text


def _key(name: str) -> str:
    """Two names of one key are one file somewhere: macOS composes letters, Windows sees no case."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKD", name).casefold())
