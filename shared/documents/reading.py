"""Reading the text of a document: a page of it, or so many characters from a place on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from shared.contracts.documents import Chunk, Document
from shared.contracts.limits import CHUNK_CHARACTERS
from shared.errors import NotFound
from shared.store.workspace import WorkspaceStore

_PAGE_CHUNKS = 400


@dataclass(frozen=True)
class Passage:
    """Text of one page, or of a document without pages."""

    page: int | None
    offset: int
    text: str


@dataclass(frozen=True)
class Text:
    """What was read, page by page; `next_offset` goes on where there is more."""

    passages: tuple[Passage, ...]
    next_offset: int | None


def page_of(store: WorkspaceStore, document: Document, page: int, characters: int) -> Text:
    """A page, as much of it as is asked for. Raises NotFound for a page that it does not have."""
    if document.pages is None or not 1 <= page <= document.pages:
        has = f"it has {document.pages}" if document.pages else "it has none: read it by offset"
        raise NotFound(f"The document has no page {page}; {has}.")
    return _cut(store.chunks.page(document.id, page, _PAGE_CHUNKS), 0, characters, document)


def text_from(store: WorkspaceStore, document: Document, offset: int, characters: int) -> Text:
    """The text from that character on; nothing behind its end."""
    limit = characters // (CHUNK_CHARACTERS // 2) + 2
    return _cut(store.chunks.from_offset(document.id, offset, limit), offset, characters, document)


def _cut(chunks: list[Chunk], start: int, characters: int, document: Document) -> Text:
    passages: list[Passage] = []
    left = characters
    for page, group in groupby(sorted(chunks, key=lambda one: one.offset), key=lambda one: one.page):
        pieces = list(_from(group, start))
        if not pieces or left <= 0:
            continue
        text = "".join(text for _, text in pieces)[:left]
        passages.append(Passage(page, pieces[0][0], text))
        left -= len(text)
    end = passages[-1].offset + len(passages[-1].text) if passages else document.characters
    return Text(tuple(passages), end if end < document.characters else None)


def _from(chunks: Iterable[Chunk], start: int) -> Iterable[tuple[int, str]]:
    for one in chunks:
        skipped = max(0, start - one.offset)
        if skipped < len(one.text):
            yield one.offset + skipped, one.text[skipped:]
