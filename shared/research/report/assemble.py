"""From a draft to the report: sources numbered in the order of the text, marks put in, a list of sources under it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from shared.contracts.limits import NOTE_BODY_BYTES
from shared.contracts.notes import Citation
from shared.research.report.draft import Draft, Piece
from shared.research.report.targets import Mention, Target, host_of, note_url

_SOURCES_BYTES = 1_000_000
_CUT = "\n\n*(The report was longer than a note can be; the rest was cut.)*"
_SPECIAL, _ESCAPED = re.compile(r"([\[\]\\`<>])"), r"\\\1"
_MARK_LINE = re.compile(r"^[ ]{0,3}(```|~~~)")


@dataclass(frozen=True)
class Report:
    """`text` is the cited text alone, `body` that and its list of sources."""

    text: str
    body: str
    citations: tuple[Citation, ...]
    mended: int
    dropped: int


@dataclass(frozen=True)
class Lookup:
    """What the outside knows of the sources: where redirects lead, which links are redirects, titles of notes by id."""

    resolved: Mapping[str, str]
    is_redirect: Callable[[str], bool]
    note_titles: Mapping[str, str]


def assemble(draft: Draft, lookup: Lookup) -> Report:
    """Number each source once, at its first mention. A note that is not in the workspace is no source."""
    register = _Register(lookup)
    out = ""
    numbers: list[int] = []
    for piece in _bounded(draft.pieces):
        if isinstance(piece, Mention):
            number = register.number(piece)
            if number and number not in numbers:
                numbers.append(number)
        elif piece:
            gap = " " if numbers and piece[0] in "(:" else ""  # else the mark would become a link or a definition
            out, numbers = _marked(out, numbers) + gap + piece, []
    out = _marked(out, numbers)
    for mention in draft.unplaced:
        register.number(mention)
    text = re.sub(r"\n{3,}", "\n\n", out).strip()
    citations = tuple(register.citations)
    body = f"{text}\n\n{_sources(citations)}" if citations else text
    return Report(text, body, citations, draft.mended, draft.dropped + register.refused)


class _Register:
    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._numbers: dict[Target, int] = {}
        self.citations: list[Citation] = []
        self.refused = 0

    def number(self, mention: Mention) -> int:
        """The number of the mention's source, 0 when it is none."""
        target, resolved = self._end(mention.target)
        if target.note_id and target.note_id not in self._lookup.note_titles:
            self.refused += 1
            return 0
        key = _key(target)
        if key not in self._numbers:
            self._numbers[key] = len(self.citations) + 1
            self.citations.append(self._citation(self._numbers[key], target, mention.title, resolved))
        elif mention.title and self._named_by_host(self.citations[self._numbers[key] - 1]):
            place = self._numbers[key] - 1
            self.citations[place] = self.citations[place].model_copy(update={"title": mention.title})
        return self._numbers[key]

    def _end(self, target: Target) -> tuple[Target, bool]:
        if target.url is None or not self._lookup.is_redirect(target.url):
            return target, True
        end = self._lookup.resolved.get(target.url)
        return (Target(url=end), True) if end else (target, False)

    def _citation(self, number: int, target: Target, title: str, resolved: bool) -> Citation:
        if target.note_id:
            title = self._lookup.note_titles[target.note_id] or title or target.note_id
        elif target.url:
            title = title or host_of(target.url)
        return Citation(n=number, title=_plain(title), url=target.url, note_id=target.note_id, resolved=resolved)

    @staticmethod
    def _named_by_host(citation: Citation) -> bool:
        return citation.url is not None and citation.title == host_of(citation.url)


def _key(target: Target) -> Target:
    """Targets that differ only in a text fragment (#:~:text=) are one source."""
    return Target(url=target.url.split("#:~:", 1)[0]) if target.url else target


def _marked(text: str, numbers: Sequence[int]) -> str:
    """The text with marks behind its last word; not inside the closing line of a code block or behind a table row."""
    if not numbers:
        return text
    marks = "".join(f"[{number}]" for number in numbers)
    last = text[text.rfind("\n") + 1 :]
    if _MARK_LINE.match(last):
        return f"{text}\n\n{marks}"
    if last.lstrip().startswith("|") and last.rstrip().endswith("|"):
        return f"{text.rstrip()[:-1].rstrip()} {marks} |"
    return f"{text}{'' if not text or text[-1].isspace() else ' '}{marks}"


def _bounded(pieces: Sequence[Piece]) -> list[Piece]:
    """As many pieces as fit a note beside the list of sources."""
    left, kept = NOTE_BODY_BYTES - _SOURCES_BYTES, list[Piece]()
    for piece in pieces:
        size = len(piece.encode()) if isinstance(piece, str) else 8
        if size > left:
            cut = piece.encode()[:left].decode(errors="ignore") if isinstance(piece, str) else ""
            return [*kept, cut, _CUT]
        left -= size
        kept.append(piece)
    return kept


def _sources(citations: Sequence[Citation]) -> str:
    lines, size = ["## Sources", ""], 0
    for citation in citations:
        url = note_url(citation.note_id) if citation.note_id else quote(citation.url or "", safe=":/?#@!$&'*+,;=%~-._")
        note = "" if citation.resolved else " (a redirect that could not be followed)"
        line = f"{citation.n}. [{_SPECIAL.sub(_ESCAPED, citation.title)}]({url}){note}"
        size += len(line.encode())
        if size > _SOURCES_BYTES - 1_000:
            return "\n".join([*lines, "", f"*({len(citations)} sources in all; the rest is in the note's citations.)*"])
        lines.append(line)
    return "\n".join(lines)


def _plain(title: str) -> str:
    """One line of at most 300 printable characters."""
    return "".join(c if c.isprintable() else " " for c in title).strip()[:300]
