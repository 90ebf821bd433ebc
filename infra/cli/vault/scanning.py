"""What lies in a folder: notes, attachments, and what is neither, with the reason. Nothing outside is looked at."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from shared.contracts.limits import DOCUMENT_DIRECT_BYTES, NOTE_BODY_BYTES

NOTE_ENDINGS = (".md", ".markdown")
DOCUMENT_ENDINGS = (".pdf", ".docx", ".xlsx", ".csv", ".html", ".txt")
FILE_BYTES = NOTE_BODY_BYTES + 300_000
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif", ".bmp")
_FOLDERS = {".obsidian": "Obsidian's settings", ".trash": "Obsidian's trash", ".git": "a repository's inside"}
_KINDS = {".canvas": "a canvas is a drawing, no text", ".base": "a base is a view of notes, no text"}


@dataclass(frozen=True)
class Skipped:
    path: str
    why: str


@dataclass
class Scan:
    """Files by their path below the folder, / between names, in order."""

    root: Path
    notes: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    def read(self, path: str) -> bytes:
        """A file's bytes. Raises OSError, also where it has become a link."""
        descriptor = os.open(self.root / path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, "rb") as file:
            return file.read(FILE_BYTES + 1)

    def modified(self, path: str) -> float:
        """When it was last written, in seconds since 1970."""
        return os.lstat(self.root / path).st_mtime


def scan(root: Path) -> Scan:
    """Every file below the folder, once."""
    found = Scan(root)
    for entry, path in _walk(root, "", found):
        why = _unfit(entry)
        if why is not None:
            found.skipped.append(Skipped(path, why))
        elif entry.name.lower().endswith(NOTE_ENDINGS):
            found.notes.append(path)
        else:
            found.documents.append(path)
    return found


def composed(path: str) -> str:
    """A path by which a file is known: macOS writes letters with accents as two."""
    return unicodedata.normalize("NFC", path)


def _walk(folder: Path, below: str, found: Scan) -> Iterator[tuple[os.DirEntry[str], str]]:
    try:
        entries = sorted(os.scandir(folder), key=lambda one: one.name)
    except OSError as error:
        found.skipped.append(Skipped(below or ".", f"it cannot be read: {error.strerror}"))
        return
    for entry in entries:
        path = f"{below}{entry.name}"
        if not _is_text(entry.name):
            found.skipped.append(Skipped(path.encode(errors="replace").decode(), "its name is no text"))
        elif entry.is_symlink():
            found.skipped.append(Skipped(path, "it is a link"))
        elif entry.is_dir():
            if entry.name.startswith("."):
                found.skipped.append(Skipped(f"{path}/", _FOLDERS.get(entry.name, "a hidden folder")))
            else:
                yield from _walk(Path(entry.path), f"{path}/", found)
        else:
            yield entry, path


def _unfit(entry: os.DirEntry[str]) -> str | None:
    """Why a file is not taken; None where it is."""
    name = entry.name.lower()
    ending = os.path.splitext(name)[1]
    if name.startswith("."):
        return "a hidden file"
    if not entry.is_file():
        return "no plain file"
    size = entry.stat(follow_symlinks=False).st_size
    if name.endswith(NOTE_ENDINGS):
        return None if size <= FILE_BYTES else f"it is larger than a note may be ({NOTE_BODY_BYTES:,} bytes)"
    if name.endswith(DOCUMENT_ENDINGS):
        return None if 0 < size <= DOCUMENT_DIRECT_BYTES else "it is empty, or too large: memex document add takes it"
    if ending in _PICTURES:
        return "pictures are not kept"
    return _KINDS.get(ending, "a kind of file that is not read")


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
