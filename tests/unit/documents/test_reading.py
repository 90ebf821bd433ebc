"""Reading and searching: by page, by offset, the best passages first."""

from __future__ import annotations

import pytest

from shared.contracts.documents import Document
from shared.documents.reading import page_of, text_from
from shared.errors import InputError, NotFound
from shared.search.documents import PASSAGES_OF_ONE
from tests.support import files
from tests.unit.documents.shelf import Shelf

LONG = "\n\n".join(f"{n}. The lessor keeps clause {n} in mind, whatever it says of rent. " * 5 for n in range(9))


@pytest.fixture
def document(shelf: Shelf) -> Document:
    return shelf.extracted("lease.pdf", files.pdf(["A short first page.", LONG, "A short third page."]))


def test_a_page_is_read_whole_and_alone(shelf: Shelf, document: Document) -> None:
    text = page_of(shelf.store, document, 2, 100_000)
    assert {one.page for one in text.passages} == {2} and "clause 8" in text.passages[0].text
    assert text.passages[0].text in shelf.text(document)
    for page in (0, 4):
        with pytest.raises(NotFound, match="has no page"):
            page_of(shelf.store, document, page, 100)


def test_reading_on_from_offset_to_offset_gives_the_whole_text(shelf: Shelf, document: Document) -> None:
    whole, offset, pages = "", 0, list[int | None]()
    for _ in range(50):
        text = text_from(shelf.store, document, offset, 700)
        whole += "".join(one.text for one in text.passages)
        pages += [one.page for one in text.passages]
        if text.next_offset is None:
            break
        assert text.next_offset > offset
        offset = text.next_offset
    assert whole == shelf.text(document) and pages[0] == 1 and pages[-1] == 3
    assert text_from(shelf.store, document, document.characters, 700).passages == ()


def test_a_document_without_pages_is_read_by_offset_alone(shelf: Shelf) -> None:
    plain = shelf.extracted("a.txt", b"just words")
    [passage] = text_from(shelf.store, plain, 5, 100).passages
    assert (passage.page, passage.text) == (None, "words")
    with pytest.raises(NotFound, match="by offset"):
        page_of(shelf.store, plain, 1, 100)


def test_a_search_finds_the_page_and_words_of_the_name(shelf: Shelf, document: Document) -> None:
    shelf.extracted("Norrvik supply.docx", files.docx(["Agreement", "Drives are delivered on time."]))
    assert shelf.found("third")[0] == ("lease.pdf", 3)
    assert shelf.found("norrvik") == [("Norrvik supply.docx", None)]
    assert shelf.found("zebra") == []
    assert shelf.found("drives", document_id=document.id) == []


def test_a_long_document_does_not_hide_the_others(shelf: Shelf) -> None:
    shelf.extracted("long.pdf", files.pdf([f"Rent, rent and rent on page {n}." for n in range(12)]))
    shelf.extracted("short.txt", b"Something long about other things, which mentions rent once among many other words.")
    found = [name for name, _ in shelf.found("rent")]
    assert found.count("long.pdf") == PASSAGES_OF_ONE and "short.txt" in found


def test_a_search_without_words_or_in_no_document_is_refused(shelf: Shelf) -> None:
    with pytest.raises(InputError):
        shelf.found("…")
    with pytest.raises(NotFound):
        shelf.found("rent", document_id="nope")
