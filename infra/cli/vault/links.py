"""[[links]] between notes: by title here, by the name of the file in a folder; each way is the reverse of the other."""

from __future__ import annotations

import re
from collections.abc import Mapping

_LINK = re.compile(r"(?<!!)\[\[([^\[\]|\n]{1,300})(?:\|([^\[\]|\n]{1,300}))?\]\]")


def to_files(body: str, stems: Mapping[str, str]) -> str:
    """The body with links to files; `stems` has the file of each title whose file is called otherwise.

    Where the way back would not lead to the same text, it is left as it is.
    """

    def outward(match: re.Match[str]) -> str:
        name = match[1].strip()
        stem = next((stems[title] for title in _titles(name) if title in stems), None)
        return match[0] if stem is None or name == stem else f"[[{stem}|{match[2] or name}]]"

    changed = _LINK.sub(outward, body)
    titles = {stem: title for title, stem in stems.items()}
    return changed if to_titles(changed, titles) == body else body


def to_titles(body: str, titles: Mapping[str, str]) -> str:
    """The body with links to titles; `titles` has the title of each file that is called otherwise."""

    def inward(match: re.Match[str]) -> str:
        title, label = titles.get(match[1]), match[2]
        if title is None or label is None:
            return match[0]
        return f"[[{label}]]" if title in _titles(label) else f"[[{title}|{label}]]"

    return _LINK.sub(inward, body)


def from_obsidian(body: str, known: Mapping[str, str]) -> str:
    """Links of a vault, which may name a folder, a heading or an alias, as links to titles.

    `known` has the titles by lower-cased name of the file, by its path without the ending, and by alias.
    """

    def plain(match: re.Match[str]) -> str:
        target, label = match[1].strip(), match[2]
        name, mark, _part = target.partition("#")
        name = name.rstrip("^ ").removesuffix(".md")
        title = known.get(name.casefold()) or known.get(name.rpartition("/")[2].casefold())
        if title is None or (not mark and title == target):
            return match[0]
        shown = label or (name.rpartition("/")[2] if not mark else target)
        return f"[[{title}]]" if shown == title else f"[[{title}|{shown}]]"

    return _LINK.sub(plain, body)


def _titles(name: str) -> tuple[str, str]:
    """The titles that a name stands for: as written, or with a capital at the beginning."""
    return name, name[:1].upper() + name[1:]
