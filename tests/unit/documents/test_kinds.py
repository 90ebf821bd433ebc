"""What a file is, by its content alone; what is refused, and why."""

from __future__ import annotations

import gzip

import pytest

from shared.contracts.documents import DocumentType
from shared.documents.kinds import kind_of
from shared.documents.receiving import name_of
from shared.documents.refusals import Refused
from tests.support import files

WORD, SHEET = files.docx(["Title", "Text"]), files.prices()
ENTITY = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.txt", b"plain words", DocumentType.TEXT),
        ("README", b"plain words", DocumentType.TEXT),
        ("a.md", b"# Title", DocumentType.MARKDOWN),
        ("a.md", "# Über".encode("utf-16"), DocumentType.MARKDOWN),
        ("a.csv", b"a;b\n1;2\n", DocumentType.CSV),
        ("a.tsv", b"a\tb\n", DocumentType.CSV),
        ("a.html", b"<p>no head</p>", DocumentType.HTML),
        ("page", b"\n<!DOCTYPE html><title>x</title>", DocumentType.HTML),
        ("a.txt", b"<html><body>shown as it is</body></html>", DocumentType.TEXT),
        ("a.txt", b"It says %PDF-1.4, and is a text about PDFs.", DocumentType.TEXT),
        ("a.PDF", files.pdf(["x"]), DocumentType.PDF),
        ("a", files.pdf(["x"]), DocumentType.PDF),
        ("a.docx", WORD, DocumentType.DOCX),
        ("a", SHEET, DocumentType.XLSX),
        ("a.txt", "naïve café".encode("cp1252"), DocumentType.TEXT),
    ],
)
def test_the_content_says_what_a_file_is(name: str, data: bytes, kind: DocumentType) -> None:
    assert kind_of(name, data[:65_536], data) is kind


HOSTILE = [
    ("a.txt", b"", "empty"),
    ("a.txt", b" \n\t\x00\x00", "empty"),
    ("a.pdf", b"just words", "mismatch"),
    ("a.txt", files.pdf(["x"]), "mismatch"),
    ("a.xlsx", WORD, "mismatch"),
    ("a.docx", files.pdf(["x"]), "mismatch"),
    ("a.html", b"\x7fELF\x02\x01\x01" + bytes(200), "mismatch"),
    ("a.txt", bytes(range(32)) * 20, "mismatch"),
    ("a", b"\x89PNG\r\n\x1a\n" + bytes(100), "unsupported"),
    ("a", gzip.compress(b"x" * 100, mtime=0), "unsupported"),
    ("a.zip", files.zip_of({"a.txt": b"x"}), "unsupported"),
    ("a.docx", files.zip_of({"a.txt": b"x"}), "unsupported"),
    ("a.docx", WORD[: len(WORD) // 2], "unreadable"),
    ("a.docx", files.rezipped(WORD, {"word/document.xml": ENTITY}), "unreadable"),
    ("a.docx", files.rezipped(WORD, {"word/settings.xml": ENTITY.decode().encode("utf-16")}), "unreadable"),
    ("a.docx", files.rezipped(WORD, {"word/embeddings/inner.zip": files.zip_of({"a": b"x"})}), "archive"),
    ("a.xlsx", files.rezipped(SHEET, {"xl/media/zeros.bin": bytes(50_000_000)}), "archive"),
    ("a.xlsx", files.rezipped(SHEET, {f"xl/{n}": b"" for n in range(5_001)}), "archive"),
    ("a.doc", OLE, "unsupported"),
    ("a.docx", OLE + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
]


@pytest.mark.parametrize(("name", "data", "reason"), HOSTILE, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_none_of_ours_is_refused_with_a_reason(name: str, data: bytes, reason: str) -> None:
    with pytest.raises(Refused) as caught:
        kind_of(name, data[:65_536], data)
    assert caught.value.details == {"reason": reason} and caught.value.message.endswith(".")


def test_an_entry_that_is_encrypted_is_seen_in_the_list_of_entries() -> None:
    marked = bytearray(WORD)
    at = marked.find(b"PK\x01\x02")
    marked[at + 8] |= 1
    with pytest.raises(Refused) as caught:
        kind_of("a.docx", bytes(marked), bytes(marked))
    assert caught.value.reason == "encrypted"


def test_of_a_large_office_file_the_name_is_taken_until_it_is_read() -> None:
    assert kind_of("a.docx", WORD[:100]) is DocumentType.DOCX
    with pytest.raises(Refused):
        kind_of("a.bin", WORD[:100])


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("lease.pdf", "lease.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\a b.txt", "a b.txt"),
        ("a\r\nb\x1b[31m.txt", "a b\\x1b[31m.txt"),
        ("x" * 300 + ".pdf", "x" * 196 + ".pdf"),
    ],
)
def test_a_name_keeps_no_folder_no_control_and_its_ending(given: str, kept: str) -> None:
    assert name_of(given) == kept


@pytest.mark.parametrize("given", ["", "/", "..", "folder/", "  "])
def test_a_file_without_a_name_is_refused(given: str) -> None:
    with pytest.raises(Refused):
        name_of(given)
