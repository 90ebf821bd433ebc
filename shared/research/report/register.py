"""The sources of a report: each numbered once, at its first mention."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from shared.contracts.limits import CITATIONS_BYTES
from shared.contracts.notes import Citation
from shared.research.report.targets import Mention, Target, host_of


@dataclass(frozen=True)
class Lookup:
    """What the outside knows of the sources: where redirects lead, which links are redirects, names by id."""

    resolved: Mapping[str, str]
    is_redirect: Callable[[str], bool]
    note_titles: Mapping[str, str]
    document_names: Mapping[str, str] = field(default_factory=dict)

    def has(self, target: Target) -> bool:
        """Whether what lies in the workspace is there; the web is taken at its word."""
        if target.document_id is not None:
            return target.document_id in self.document_names
        return target.note_id is None or target.note_id in self.note_titles


class Register:
    """Sources by number: each once, in the order in which they are asked for, as long as they fit a note."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._numbers: dict[Target, int] = {}
        self._left_bytes = CITATIONS_BYTES
        self.citations: list[Citation] = []
        self.refused = 0

    def number(self, mention: Mention) -> int:
        """The number of the mention's source, 0 when it is none or there is no room for it (then `refused` rises)."""
        target, resolved = self._end(mention.target)
        if not self._lookup.has(target):
            self.refused += 1
            return 0
        key = _key(target)
        if key in self._numbers:
            self._name(self._numbers[key] - 1, mention.title)
            return self._numbers[key]
        citation = self._citation(len(self.citations) + 1, target, mention.title, resolved)
        if not self._fits(_bytes(citation)):
            self.refused += 1
            return 0
        self._numbers[key] = citation.n
        self.citations.append(citation)
        return citation.n

    def _name(self, place: int, title: str) -> None:
        """A title takes the place of a host's name."""
        known = self.citations[place]
        if not title or known.url is None or known.title != host_of(known.url):
            return
        named = known.model_copy(update={"title": _plain(title)})
        if self._fits(_bytes(named) - _bytes(known)):
            self.citations[place] = named

    def _fits(self, size: int) -> bool:
        fits = size <= self._left_bytes
        self._left_bytes -= size if fits else 0
        return fits

    def _end(self, target: Target) -> tuple[Target, bool]:
        if target.url is None or not self._lookup.is_redirect(target.url):
            return target, True
        end = self._lookup.resolved.get(target.url)
        return (Target(url=end), True) if end else (target, False)

    def _citation(self, number: int, target: Target, title: str, resolved: bool) -> Citation:
        if target.note_id:
            title = self._lookup.note_titles[target.note_id] or title or target.note_id
        elif target.document_id:
            title = self._lookup.document_names[target.document_id] or title
        elif target.url:
            title = title or host_of(target.url)
        return Citation(
            n=number,
            title=_plain(title),
            url=target.url,
            note_id=target.note_id,
            document_id=target.document_id,
            page=target.page,
            resolved=resolved,
        )


def _key(target: Target) -> Target:
    """Targets that differ only in a text fragment (#:~:text=) are one source."""
    return Target(url=target.url.split("#:~:", 1)[0]) if target.url else target


def _bytes(citation: Citation) -> int:
    return len(citation.model_dump_json().encode())


def _plain(title: str) -> str:
    """One line of at most 300 printable characters."""
    return "".join(c if c.isprintable() else " " for c in title).strip()[:300]
