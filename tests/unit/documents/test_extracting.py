"""From a file to its text: slices, one commit each, whoever dies in between; and how an extraction ends."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from shared.contracts.events import EventType
from shared.documents import extracting, slicing
from shared.documents.extracting import STEP_TIME
from shared.errors import NotFound, Transient
from shared.gateway.transport import Cut
from tests.support import files
from tests.unit.documents.shelf import Shelf

PAGES = [f"Clause {n}. The party of page {n} gives notice by {n} October 2026." for n in range(1, 8)]


def types(shelf: Shelf, operation_id: str) -> list[str]:
    return [event.type for event in shelf.store.streams.read(f"operations/{operation_id}", limit=500)]


def test_a_document_is_ready_with_all_its_text_and_its_pages(shelf: Shelf) -> None:
    data = files.pdf(PAGES)
    document = shelf.extracted("contract.pdf", data)
    assert (document.status, document.pages, document.chunks, document.bytes) == ("ready", 7, 7, len(data))
    assert shelf.text(document) == "".join(f"{page}\n\n" for page in PAGES) and not document.problems
    assert document.characters == len(shelf.text(document))
    operation = shelf.operation(document)
    assert (operation.status, operation.document_id, operation.title) == ("completed", document.id, "contract.pdf")
    assert types(shelf, operation.id)[-2:] == [EventType.EXTRACTED, EventType.COMPLETED]


def test_a_bad_page_is_told_and_the_others_are_kept(shelf: Shelf) -> None:
    document = shelf.extracted("c.pdf", files.broken_page(files.pdf(PAGES[:3]), 1))
    assert document.status == "ready" and [one.page for one in document.problems] == [2]
    assert "page 1" in shelf.text(document) and "page 3" in shelf.text(document)
    assert shelf.found("notice page 3")[0] == ("c.pdf", 3)


def test_tables_are_kept_with_schema_and_first_rows(shelf: Shelf) -> None:
    document = shelf.extracted("prices.xlsx", files.prices())
    assert document.pages == 2 and [table.name for table in document.tables] == ["Prices", "Notes"]
    assert [one.type for one in document.tables[0].columns] == ["text", "number", "date"]
    assert document.tables[0].first_rows[1].cells == ("Graz", "9.5", "2026-03-01")


@pytest.mark.slow
def test_of_tables_that_are_too_much_for_a_record_the_first_rows_go_first(shelf: Shelf) -> None:
    wide = [["x" * 120 + str(n) for n in range(200)]] * 7
    document = shelf.extracted("wide.xlsx", files.xlsx({f"s{n}": wide for n in range(10)}))
    assert document.status == "ready" and document.pages == 10
    assert document.tables[0].first_rows and not document.tables[-1].first_rows
    assert len(document.model_dump_json()) < 400_000


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (files.pdf(["", ""]), "no_text"),
        (files.pdf(["x"], password="p"), "encrypted"),
        (b"%PDF-1.7 nothing more", "unreadable"),
        (files.pdf_without_pages(), "unreadable"),
    ],
)
def test_what_cannot_be_read_has_failed_and_says_why(shelf: Shelf, data: bytes, code: str) -> None:
    document = shelf.extracted("c.pdf", data)
    assert document.status == "failed" and document.error is not None and document.error.code == code
    operation = shelf.operation(document)
    assert operation.status == "failed" and operation.error is not None and operation.error.code == code


def test_a_long_text_goes_in_slices_and_a_step_ends_in_time(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slicing, "SLICE_CHUNKS", 3)
    text = "\n\n".join(f"Paragraph {n}. " + "Some words of it. " * 40 for n in range(30))
    document = shelf.put("long.txt", text.encode())
    shelf.start(document)
    really = slicing.next_slice

    def slow(*asked: object) -> object:
        shelf.world.clock.advance(STEP_TIME.total_seconds() / 2)
        return really(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(extracting, "next_slice", slow)
    assert shelf.step(document).status == "running" and shelf.get(document).chunks == 6
    while shelf.step(document).status == "running":
        pass
    assert shelf.text(document) == "\n".join(line.rstrip() for line in text.split("\n"))
    assert types(shelf, shelf.operation(document).id).count("extracted") == -(-shelf.get(document).chunks // 3)


class Died(BaseException):
    """The process is no more."""


@pytest.mark.parametrize("dies", ["before", "after"])
def test_a_worker_that_dies_beside_a_commit_leaves_what_the_next_one_goes_on_from(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, dies: str
) -> None:
    from shared import faultpoint

    monkeypatch.setattr(slicing, "SLICE_CHUNKS", 2)
    monkeypatch.setattr(slicing, "BATCH", 2)
    document = shelf.put("c.pdf", files.pdf(PAGES))
    shelf.start(document)
    seen = []

    def die(point: str) -> None:
        if point == f"{dies}_commit:extract.slice":
            seen.append(point)
            if len(seen) in (1, 2, 3):
                raise Died

    faultpoint.install(die)
    try:
        for _ in range(3):
            with pytest.raises(Died):
                shelf.step(document)
        assert shelf.step(document).status == "completed"
    finally:
        faultpoint.install(None)
    found = shelf.get(document)
    assert shelf.text(document) == "".join(f"{page}\n\n" for page in PAGES)
    assert (found.chunks, found.characters) == (7, len(shelf.text(document)))
    assert types(shelf, shelf.operation(document).id).count("completed") == 1


def test_the_same_step_twice_at_once_is_one(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    document = shelf.put("c.pdf", files.pdf(PAGES))
    shelf.start(document)
    really, nested = slicing.next_slice, []

    def beside(*asked: object) -> object:
        found = really(*asked)  # type: ignore[arg-type]
        if not nested:
            nested.append(True)
            assert shelf.step(document).status == "completed"
        return found

    monkeypatch.setattr(extracting, "next_slice", beside)
    assert shelf.step(document).status == "completed" and shelf.get(document).chunks == 7


def test_an_execution_that_was_overtaken_writes_nothing(shelf: Shelf) -> None:
    document = shelf.put("c.pdf", files.pdf(PAGES))
    old = shelf.start(document, 1).fence
    shelf.world.executions.dead.add("projects/p/locations/l/workflows/research/executions/e1")
    new = shelf.start(document, 2)
    assert (new.status, new.fence) == ("running", old + 1)
    assert shelf.step(document, old).status == "superseded" and shelf.get(document).chunks == 0
    assert shelf.step(document, new.fence).status == "completed"
    assert shelf.start(document, 3).status == "superseded"


def test_a_cancel_ends_the_document_and_nothing_comes_after(shelf: Shelf) -> None:
    document = shelf.put("c.pdf", files.pdf(PAGES))
    fence = shelf.start(document).fence
    answer = shelf.world.research.engine.cancel(shelf.workspace, shelf.operation(document).id)
    assert answer.cancelled and "operation" in answer.message and shelf.world.executions.cancelled
    assert shelf.step(document, fence).status == "cancelled"
    found = shelf.get(document)
    assert found.status == "failed" and found.error is not None and found.error.code == "cancelled"


def test_a_workflow_that_gives_up_has_failed_the_document(shelf: Shelf) -> None:
    document = shelf.put("c.pdf", files.pdf(PAGES))
    shelf.start(document)
    shelf.world.fail(operation_id=shelf.operation(document).id, fence=1)
    found = shelf.get(document)
    assert found.status == "failed" and found.error is not None and found.error.code == "workflow_failed"
    [listed] = shelf.documents.list(shelf.workspace, limit=5)[0]
    assert listed.status == "failed"


def test_a_file_that_is_gone_fails_the_document(shelf: Shelf) -> None:
    document = shelf.put("c.pdf", files.pdf(PAGES))
    for one in list(shelf.objects.list("workspaces")):
        shelf.objects.delete(one.name)
    shelf.start(document)
    assert shelf.step(document).status == "failed"
    found = shelf.get(document)
    assert found.error is not None and found.error.code == "file_gone"


def test_a_document_that_is_deleted_meanwhile_ends_its_extraction(shelf: Shelf) -> None:
    document = shelf.put("c.pdf", files.pdf(PAGES))
    fence, operation = shelf.start(document).fence, shelf.operation(document)
    shelf.documents.delete(shelf.workspace, document.id)
    assert shelf.step(document, fence).status == "cancelled"
    assert shelf.store.operations.get(operation.id).status == "cancelled" and not shelf.paths_below(document)


class OneHot:
    """A model that knows three subjects; it fails when told to."""

    name = "one-hot"

    def __init__(self) -> None:
        self.fails = False

    def embed(self, texts: Sequence[str], *, query: bool = False, cut: Cut | None = None) -> list[list[float]]:
        if self.fails:
            raise Transient("The model is away.")
        subjects = (("rent", "price", "money"), ("bread", "loaf"), ("notice", "end"))
        vectors = [[float(any(word in text.lower() for word in words)) for words in subjects] for text in texts]
        return [[*vector, 0.01, *[0.0] * 764] for vector in vectors]


def test_pieces_are_found_by_meaning_where_a_model_embeds(shelf: Shelf) -> None:
    shelf.embedder = OneHot()
    document = shelf.extracted("lease.pdf", files.pdf(["The rent is due monthly.", "We bake bread."]))
    assert shelf.found("money") == [("lease.pdf", 1)]
    assert shelf.found("money", document_id=document.id) == [("lease.pdf", 1)]
    [index] = shelf.world.client.collection(f"workspaces/{shelf.workspace}/chunk_index").limit(1).get()
    assert index.get("embedding_model") == "one-hot"


def test_without_an_answer_of_the_model_pieces_are_found_by_their_words(shelf: Shelf) -> None:
    shelf.embedder = model = OneHot()
    model.fails = True
    shelf.extracted("lease.pdf", files.pdf(["The rent is due monthly."]))
    assert shelf.found("rent") == [("lease.pdf", 1)] and shelf.found("money") == []


def test_text_beyond_the_longest_is_left_out_and_that_is_told(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slicing, "DOCUMENT_CHARACTERS", 5_000)
    text = " ".join(str(random.Random(n).random()) for n in range(1_000))
    document = shelf.extracted("long.txt", text.encode())
    assert shelf.text(document) == text[:5_000] and "characters were kept" in document.problems[0].message


def test_an_unknown_document_is_not_found(shelf: Shelf) -> None:
    with pytest.raises(NotFound, match="no document nope"):
        shelf.documents.get(shelf.workspace, "nope")
