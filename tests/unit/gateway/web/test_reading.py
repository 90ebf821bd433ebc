"""From what came to readable text: kinds, charsets, extraction in its own process, and its bounds."""

from __future__ import annotations

import contextlib
import io
import time

import pytest

from shared.gateway.transport import Cut
from shared.gateway.web import html_text, worker
from shared.gateway.web.decoding import decoded
from shared.gateway.web.extracting import Extractor
from shared.gateway.web.kinds import kind_of
from shared.gateway.web.reading import Page, Reader
from shared.gateway.web.refusals import Unreadable
from tests.unit.gateway.servers import answering, raw_server
from tests.unit.gateway.web.web import fetcher, port_of

PRICES = b"""<!doctype html><html><head><title>Prices of Acme</title><script>var secret = 1</script></head><body>
<nav><a href="/about">About us</a><a href="#top">Top</a><a href="javascript:x()">Click</a></nav>
<main><h1>Prices</h1><p>We charge by the seat.</p>
<table><tr><th>Plan</th><th>Price</th></tr><tr><td>Basic</td><td>9 EUR</td></tr></table>
<a href="//b.example/p?q=1">Partner</a><a href="http://[::1">Broken</a></main></body></html>"""


def read(body: bytes, content_type: str, *, characters: int = 10_000, **limits: int) -> Page:
    talk = answering("200 OK", body, f"Content-Type: {content_type}\r\n" if content_type else "")
    with raw_server(talk) as (base, _):
        reader = Reader(fetcher(base, **limits), Extractor(), characters)
        return reader.read(f"http://a.example:{port_of(base)}/dir/page", Cut())


def pdf(*pages: str, title: str = "") -> bytes:
    from fpdf import FPDF

    document = FPDF()
    document.set_title(title)
    for text in pages:
        document.add_page()
        document.set_font("helvetica", size=12)
        document.multi_cell(0, 10, text)
    return bytes(document.output())


def test_a_web_page() -> None:
    page = read(PRICES, "text/html; charset=utf-8")
    assert (page.title, page.kind, page.cut) == ("Prices of Acme", "html", False)
    assert "We charge by the seat." in page.text and "Basic | 9 EUR" in page.text and "secret" not in page.text
    base = page.url.removesuffix("/dir/page")
    assert page.links == {f"{base}/about": "About us", "http://b.example/p?q=1": "Partner"}


def test_an_article_comes_without_what_stands_around_it() -> None:
    words = "".join(
        f"<p>Paragraph {n} tells how bread is baked, with flour, water, salt and a lot of time.</p>" for n in range(9)
    )
    noise = "<nav>" + "<a href=/x>Somewhere else entirely</a>" * 40 + "</nav>"
    page = read(f"<html><body>{noise}<article><h1>Bread</h1>{words}</article></body></html>".encode(), "text/html")
    assert "Paragraph 8" in page.text and "Somewhere else" not in page.text


def test_plain_text_json_and_pdf() -> None:
    assert read("Grüße".encode("cp1252"), "text/plain; charset=iso-8859-1").text == "Grüße"
    assert read(b'{"a": [1, 2]}', "application/json").kind == "json"
    page = read(pdf("First words.", "Second words.", title="A paper"), "application/pdf")
    assert (page.kind, page.title) == ("pdf", "A paper")
    assert page.text.index("First words.") < page.text.index("[page 2]") < page.text.index("Second words.")


def test_what_is_longer_is_cut_and_marked() -> None:
    page = read(b"x" * 50_000, "text/plain", characters=100)
    assert page.cut and page.text == "x" * 100
    assert read(b"<p>" + b"word " * 50_000, "text/html", characters=300).cut
    assert read(pdf(*["many words " * 30] * 5), "application/pdf", characters=300).cut
    assert read(b"line\n" * 10_000, "text/plain", bytes=1_000).cut


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"\x7fELF\x02\x01\x01\0\0", "text/html"),
        (b"MZ\x90\0\x03\0\0", "text/plain"),
        (b"PK\x03\x04rest", "text/html"),
        (b"\x89PNG\r\n\x1a\n", ""),
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"%PDF-1.7 rest", "text/html"),
        (b"<html>no pdf</html>", "application/pdf"),
        (b"%PDF-1.7 broken", "application/pdf"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"),
        (b"\0\0\0\x18ftypmp42", "application/octet-stream"),
        (b"PK\x03\x04", "application/zip"),
        (b"", "text/html"),
        (b"   \n", "text/plain"),
        (b"<html><body><script>all()</script></body></html>", "text/html"),
    ],
)
def test_what_is_no_text_or_not_what_it_says_is_not_read(body: bytes, content_type: str) -> None:
    with pytest.raises(Unreadable):
        read(body, content_type)


def test_an_encrypted_pdf_says_so() -> None:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf("Secret words."))))
    writer.encrypt("pw", algorithm="RC4-128")
    made = io.BytesIO()
    writer.write(made)
    with pytest.raises(Unreadable, match="encrypted"):
        read(made.getvalue(), "application/pdf")


def test_a_pdf_that_does_not_fit_is_not_read_in_part() -> None:
    with pytest.raises(Unreadable, match="large"):
        read(pdf("words " * 100), "application/pdf", bytes=200)


@pytest.mark.parametrize(
    ("content_type", "body", "kind"),
    [
        ("", b"<!DOCTYPE html><p>x", "html"),
        ("application/octet-stream", b"%PDF-1.4", "pdf"),
        ("", b"just words", "text"),
        ("TEXT/HTML;charset=x", b"x", "html"),
        ("application/ld+json", b"{}", "json"),
        ("application/rss+xml", b"<rss/>", "text"),
        ("text/csv", b"a,b", "text"),
        ("text/plain", b"\xff\xfeh\0i\0", "text"),
    ],
)
def test_kinds(content_type: str, body: bytes, kind: str) -> None:
    assert kind_of(content_type, body) == kind


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("Grüße".encode(), "text/html", "Grüße"),
        ("Grüße".encode("utf-16"), "text/html; charset=utf-8", "Grüße"),
        (b"\xef\xbb\xbfx", "text/html; charset=latin-1", "x"),
        (b"<meta charset='windows-1251'>\xcf\xf0", "text/html", "<meta charset='windows-1251'>Пр"),
        (b"\xff\xfe\xff", "text/plain; charset=utf-8", "\ufffd"),
        (b"a\x80b", "text/plain; charset=utf-8", "a\ufffdb"),
        (b"+ADw-script+AD4-", "text/html; charset=utf-7", "+ADw-script+AD4-"),
        (b"68656c6c6f", "text/plain; charset=hex", "68656c6c6f"),
        (b"\\u003c", "text/plain; charset=unicode_escape", "\\u003c"),
        (b"a\0b", "text/plain; charset=nonsense", "ab"),
        (b"\xed\xa0\x80", "text/plain", "\ufffd\ufffd\ufffd"),
    ],
)
def test_every_charset_gives_text(body: bytes, content_type: str, text: str) -> None:
    found = decoded(body, content_type, markup=True)
    assert found == text and found.encode()


@pytest.mark.parametrize(
    "body",
    [
        b"<div>" * 100_000 + b"deep",
        b"<b><i>" * 30_000 + b"deep",
        b"<p>" + b"a" * 100_000 + b"!</p>",
        b"<!--" * 100_000,
        b"<a href='" * 50_000,
        b"<table><tr><td>" * 10_000,
        b"<!DOCTYPE x [<!ENTITY a SYSTEM 'http://169.254.169.254/'>]><html><p>&a;</html>",
        b"&#x0;&#xFFFFFFFF;<p>\xff\xfe" * 1_000,
    ],
    ids=["divs", "inlines", "regex", "comments", "attributes", "tables", "entity", "references"],
)
def test_a_hostile_page_ends_in_text_or_in_a_refusal(body: bytes) -> None:
    began = time.monotonic()
    page = body.decode("utf-8", "replace").encode()
    with contextlib.suppress(Unreadable):
        assert isinstance(Extractor(15.0).extract("html", page, 10_000, Cut()).text, str)
    assert time.monotonic() - began < 20


def test_of_a_long_page_all_text_is_taken_soon() -> None:
    page = b"<html><body><nav>Around it</nav>" + b"<p>Bread is baked with flour.</p>" * 60_000 + b"</body></html>"
    found = Extractor(15.0).extract("html", page, 500, Cut())
    assert found.cut and found.text.startswith("Around it\nBread is baked")


def test_a_search_for_the_main_text_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    import trafilatura

    def forever(*_: object, **__: object) -> str:
        while True:
            try:
                sum(range(1_000))
            except Exception:  # noqa: BLE001, S112 - as a library may
                continue

    monkeypatch.setattr(trafilatura, "extract", forever)
    monkeypatch.setattr(html_text, "_MAIN_TEXT_SECONDS", 0.1)
    assert worker._html("<title>T</title><p>Some words.", 100)["text"] == "Some words."


def test_a_worker_that_dies_is_a_page_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.gateway.web.extracting._WORKER", "no_such_module")
    with pytest.raises(Unreadable):
        Extractor().extract("html", b"<p>x", 100, Cut())
