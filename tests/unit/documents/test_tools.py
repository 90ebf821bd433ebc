"""Models search, list and read documents, and what they read can be cited with its page."""

from __future__ import annotations

import pytest

from shared.contracts.documents import Document
from shared.errors import NotFound
from shared.tools import list_documents, read_document, search_documents
from shared.tools.catalogue import acting
from tests.support import files
from tests.support.jobs import FakeServices, job
from tests.support.seams import FakeClock
from tests.unit.documents.shelf import Shelf

PAGES = ["The lease ends on 31 January 2031.", "The option lapses after 31 October 2026. " * 60]


@pytest.fixture
def lease(shelf: Shelf) -> Document:
    return shelf.extracted("lease.pdf", files.pdf(PAGES))


def call(shelf: Shelf, name: str, **arguments: object) -> dict[str, object]:
    """What the model gets, through the registry with its caps."""
    outcome = acting().call(job(shelf.store, FakeClock(), services=FakeServices(shelf.store)), name, arguments)
    assert outcome.ok, outcome.result
    return dict(outcome.result)


def test_a_passage_is_found_with_document_page_and_source(shelf: Shelf, lease: Document) -> None:
    answer = call(shelf, "search_documents", query="when does the option lapse", limit=3)
    first = answer["passages"][0]  # type: ignore[index]
    assert (first["document_id"], first["name"], first["page"]) == (lease.id, "lease.pdf", 2)
    [source, *_] = search_documents.TOOL.sources(answer)
    assert (source.title, source.document_id, source.page) == ("lease.pdf", lease.id, 2)
    assert "31 October 2026" in source.passage
    assert call(shelf, "search_documents", query="zebra") == {"passages": []}


def test_a_document_is_read_from_page_to_page_and_each_is_a_source(shelf: Shelf, lease: Document) -> None:
    answer = call(shelf, "read_document", document_id=lease.id)
    assert [one["page"] for one in answer["text"]] == [1, 2]  # type: ignore[index,attr-defined]
    assert [source.page for source in read_document.TOOL.sources(answer)] == [1, 2]
    assert "next_offset" not in answer and answer["pages"] == 2
    second = call(shelf, "read_document", document_id=lease.id, page=2)
    assert [one["page"] for one in second["text"]] == [2]  # type: ignore[index,attr-defined]


def test_a_long_document_is_read_on_from_where_it_was_cut(shelf: Shelf) -> None:
    text = "\n\n".join(f"Paragraph {n}. " + "Words of it. " * 30 for n in range(100))
    document = shelf.extracted("long.txt", text.encode())
    whole, offset = "", 0
    while True:
        answer = call(shelf, "read_document", document_id=document.id, offset=offset)
        whole += "".join(one["text"] for one in answer["text"])  # type: ignore[attr-defined]
        if "next_offset" not in answer:
            break
        offset = int(str(answer["next_offset"]))
    assert whole == shelf.text(document)


def test_the_schema_of_a_table_is_told_with_its_first_rows(shelf: Shelf) -> None:
    document = shelf.extracted("prices.xlsx", files.prices())
    [table, *_] = call(shelf, "read_document", document_id=document.id)["tables"]  # type: ignore[misc]
    assert table["columns"] == ["city (text)", "price (number)", "since (date)"]  # type: ignore[index]
    assert table["first_rows"][0] == "Linz | 12 | 2026-01-02"  # type: ignore[index]


def test_documents_are_listed_with_what_became_of_them(shelf: Shelf, lease: Document) -> None:
    shelf.world.clock.advance(1)
    bad = shelf.extracted("bad.pdf", b"%PDF-1.7 nothing more")
    listed = call(shelf, "list_documents")["documents"]
    assert [one["document_id"] for one in listed] == [bad.id, lease.id]  # type: ignore[attr-defined]
    assert listed[0]["status"] == "failed" and "error" in listed[0]  # type: ignore[index]
    assert [one.document_id for one in list_documents.TOOL.sources({"documents": listed})] == [bad.id, lease.id]


@pytest.mark.parametrize("asked", [{"document_id": "nope"}, {"document_id": "../notes/n1"}])
def test_what_is_not_in_the_workspace_is_not_there(shelf: Shelf, asked: dict[str, str]) -> None:
    outcome = acting().call(job(shelf.store, FakeClock()), "read_document", asked)
    assert not outcome.ok


def test_a_page_that_is_not_there_is_told(shelf: Shelf, lease: Document) -> None:
    with pytest.raises(NotFound, match="no page 9; it has 2"):
        read_document.run(job(shelf.store, FakeClock()), read_document.Arguments(document_id=lease.id, page=9))
