"""Each kind of file in the worker: what is read of good ones, and what is said of bad ones."""

from __future__ import annotations

import io
import time
from pathlib import Path
from typing import Any

import pytest

from shared.documents.parsers import web
from shared.documents.parsers.reading import Wanted
from shared.documents.refusals import Refused
from shared.documents.sandbox import Workers
from shared.gateway.sandbox import WorkerDied
from shared.gateway.transport import Cut, TransportError
from tests.support import files

WORKERS = Workers()


def read(path: Path, kind: str, data: bytes, **asked: Any) -> Any:
    path.write_bytes(data)
    job = {"job": "read", "path": str(path), "type": kind, "first": 0, "count": 20, **asked}
    return WORKERS.work(job, seconds=20)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "original"


def test_a_pdf_is_read_page_by_page(path: Path) -> None:
    data = files.pdf(["The first page.", "", "The third page."])
    found = read(path, "pdf", data)
    assert (found["total"], found["paged"], found["texts"]) == (3, True, ["The first page.", "", "The third page."])
    [problem] = found["problems"]
    assert problem["page"] == 2 and "no text" in problem["message"]
    assert read(path, "pdf", data, first=2, count=5)["texts"] == ["The third page."]


def test_a_broken_page_is_told_and_the_others_are_kept(path: Path) -> None:
    found = read(path, "pdf", files.broken_page(files.pdf(["one", "two", "three"]), 1))
    assert (found["texts"][0], found["texts"][2]) == ("one", "three") and found["problems"][0]["page"] == 2


def test_word_gives_headings_paragraphs_and_tables_in_order(path: Path) -> None:
    data = files.docx(["Offer", "We offer bread."], [["kind", "price"], ["rye", "4"]])
    found = read(path, "docx", data)
    assert found["texts"] == ["# Offer\n\nWe offer bread.\n\nkind | price\nrye | 4"] and not found["paged"]


def test_a_workbook_gives_its_sheets_with_schema_and_first_rows(path: Path) -> None:
    found = read(path, "xlsx", files.prices())
    assert found["texts"][0] == "# Prices\ncity | price | since\nLinz | 12 | 2026-01-02\nGraz | 9.5 | 2026-03-01"
    prices = found["tables"][0]
    types = [(one["name"], one["type"]) for one in prices["columns"]]
    assert types == [("city", "text"), ("price", "number"), ("since", "date")] and prices["rows"] == 2
    assert prices["first_rows"][0] == {"cells": ["Linz", "12", "2026-01-02"]}


def test_a_csv_is_read_whatever_parts_its_columns(path: Path) -> None:
    found = read(path, "csv", 'name;n\nÄpfel;1\n"a;b";2\n'.encode("cp1252"))
    assert found["texts"] == ["name | n\nÄpfel | 1\na;b | 2"]
    [table] = found["tables"]
    assert [one["type"] for one in table["columns"]] == ["text", "integer"] and table["rows"] == 2
    headless = read(path, "csv", b"1,2\n3,4\n")["tables"][0]
    assert [one["name"] for one in headless["columns"]] == ["column 1", "column 2"] and headless["rows"] == 2


def test_of_a_page_of_html_its_content_is_kept(path: Path) -> None:
    words = "Sourdough keeps for a week in linen. " * 20
    html = f"<html><body><nav>Home Shop</nav><article><h1>Bread</h1><p>{words}</p></article><script>x()</script></body>"
    [text] = read(path, "html", html.encode())["texts"]
    assert "Sourdough keeps" in text and "Bread" in text and "x()" not in text
    assert read(path, "html", b"<p>short</p>")["texts"] == ["short"]


@pytest.mark.parametrize(
    ("charset", "written", "text"),
    [
        ("iso-8859-2", "Łódź", "Łódź"),
        ("shift_jis", "日本", "日本"),
        ("utf-8", "Łódź", "Łódź"),
        ("utf-7", "a+ADw-b", "a+ADw-b"),
        ("rot13", "plain", "plain"),
        ("undefined", "plain", "plain"),
        ("no-such", "plain", "plain"),
    ],
)
def test_a_page_is_read_as_it_says_it_is_written(tmp_path: Path, charset: str, written: str, text: str) -> None:
    coded = written.encode(charset if charset in ("iso-8859-2", "shift_jis", "utf-8") else "ascii")
    path = tmp_path / "original"
    path.write_bytes(f'<html><head><meta charset="{charset}"></head><body><p>'.encode() + coded + b"</p></body></html>")
    assert web.read(Wanted(path, 0, 1)).texts == [text]


REFUSED = [
    ("pdf", b"%PDF-1.7\nthis is no PDF at all", "unreadable"),
    ("pdf", files.pdf_without_pages(), "unreadable"),
    ("pdf", files.pdf(["secret"], password="x"), "encrypted"),
    ("docx", files.rezipped(files.docx(["a"]), {"word/document.xml": b"<w>"}), "unreadable"),
    ("docx", files.prices()[:500], "unreadable"),
    ("xlsx", files.rezipped(files.prices(), {"xl/workbook.xml": b"<no"}), "unreadable"),
    ("csv", b'"' + b"x" * 2_000_000, "unreadable"),
]


@pytest.mark.parametrize(("kind", "data", "reason"), REFUSED)
def test_a_damaged_or_locked_file_is_refused_with_a_reason(path: Path, kind: str, data: bytes, reason: str) -> None:
    with pytest.raises(Refused) as caught:
        read(path, kind, data)
    assert caught.value.reason == reason


def test_a_million_columns_are_cut_and_that_is_told(path: Path) -> None:
    found = read(path, "csv", b",".join(b"c" for _ in range(1_000_000)) + b"\n1,2\n")
    assert len(found["tables"][0]["columns"]) == 200 and "1000000 columns" in found["problems"][0]["message"]


def test_html_nested_too_deep_or_built_to_be_slow_ends(path: Path) -> None:
    for html in (b"<div>" * 100_000 + b"deep", b"a" * 100_000 + b"!"):
        try:
            assert read(path, "html", html)["total"] == 1
        except (Refused, WorkerDied):
            continue  # also an end


def test_a_worker_is_ended_at_its_deadline_and_when_nobody_waits(path: Path) -> None:
    path.write_bytes(files.pdf(["x"]))
    job = {"job": "read", "path": str(path), "type": "pdf", "first": 0, "count": 1}
    begun = time.monotonic()
    with pytest.raises(WorkerDied, match="longer than"):
        WORKERS.work(job, seconds=0.05)
    cut = Cut()
    cut.cut("cancelled")
    with pytest.raises(TransportError, match="cancelled"):
        WORKERS.work(job, seconds=30, cut=cut)
    assert time.monotonic() - begun < 5


def test_a_page_that_ends_its_worker_is_told_and_those_around_it_are_kept(
    path: Path,
) -> None:
    """A page that needs more time or memory than there is: here the worker's answer for it is taken away."""
    from shared.contracts.documents import DocumentType
    from shared.documents.source import Source

    path.write_bytes(files.pdf([f"page {n}" for n in range(1, 5)]))

    class Bounded(Workers):
        def work(self, job: dict[str, Any], **bounds: Any) -> Any:
            if job["first"] <= 2 < job["first"] + job["count"]:
                raise WorkerDied("Reading took longer than 10 seconds.")
            return super().work(job, **bounds)

    source = Source(path, DocumentType.PDF, Bounded(), Cut())
    parts = [source.part(number) for number in range(4)]
    assert [part.text for part in parts if part] == ["page 1", "page 2", "", "page 4"] and source.part(4) is None
    assert parts[2] is not None and parts[2].problems[0]["page"] == 3


def test_a_pdf_of_very_many_objects_ends(path: Path) -> None:
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, io.SEEK_END)
    for number in range(1, 200_001):
        out.write(b"%d 0 obj<<>>endobj\n" % number)
    with pytest.raises(Refused):
        read(path, "pdf", out.getvalue())


def test_nothing_that_a_file_names_is_fetched(path: Path) -> None:
    """Entities, templates, links and pictures of elsewhere: a server that would be asked hears nothing."""
    import socket

    relation = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" '
        'Target="{at}/evil.dotm" TargetMode="External"/></Relationships>'
    )
    html = (
        '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "{at}/entity">]><html><head><base href="{at}/">'
        '<link rel="stylesheet" href="{at}/style.css"></head><body xmlns:xi="http://www.w3.org/2001/XInclude">'
        '<p>Words of a page, long enough to be kept as its content. &x;</p><xi:include href="{at}/included"/>'
        '<img src="{at}/picture.png"><iframe src="{at}/frame"></iframe></body></html>'
    )
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        at = f"http://127.0.0.1:{server.getsockname()[1]}"
        word = files.rezipped(
            files.docx(["Title", "Body"]), {"word/_rels/settings.xml.rels": relation.format(at=at).encode()}
        )
        assert "Body" in read(path, "docx", word)["texts"][0]
        assert "Words of a page" in read(path, "html", html.format(at=at).encode())["texts"][0]
        assert read(path, "pdf", files.pdf_with_link("A linked page.", f"{at}/linked"))["texts"] == ["A linked page."]
        with pytest.raises(BlockingIOError):
            server.accept()
