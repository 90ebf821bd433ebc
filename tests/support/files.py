"""Files as people put them in, and as those who mean harm do; each is made anew, and small."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any


def pdf(pages: Iterable[str], password: str = "") -> bytes:
    """A PDF with those pages of text; an empty one has none."""
    from fpdf import FPDF

    made = FPDF()
    made.set_font("helvetica", size=11)
    for text in pages:
        made.add_page()
        if text:
            made.multi_cell(0, 6, text)
    if password:
        from fpdf.encryption import EncryptionMethod

        made.set_encryption(owner_password="owner", user_password=password, encryption_method=EncryptionMethod.RC4)
    return bytes(made.output())


def pdf_with_link(text: str, address: str) -> bytes:
    """A page that leads elsewhere, by an annotation and by what is to be done when it is opened."""
    from pypdf import PdfReader, PdfWriter
    from pypdf.annotations import Link
    from pypdf.generic import DictionaryObject, NameObject, TextStringObject

    writer = PdfWriter(PdfReader(io.BytesIO(pdf([text]))))
    writer.add_annotation(0, Link(rect=(0, 0, 100, 100), url=address))
    action = {NameObject("/S"): NameObject("/URI"), NameObject("/URI"): TextStringObject(address)}
    writer.root_object[NameObject("/OpenAction")] = DictionaryObject(action)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def broken_page(data: bytes, number: int) -> bytes:
    """The PDF with the content of one page (from 0) replaced by something that is no stream of a page."""
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import NameObject, NullObject, NumberObject

    writer = PdfWriter(PdfReader(io.BytesIO(data)))
    page = writer.pages[number]
    page[NameObject("/Contents")] = writer._add_object(NumberObject(7))
    page[NameObject("/Resources")] = NullObject()
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def pdf_without_pages() -> bytes:
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
        b"xref\n0 3\n0000000000 65535 f \n0000000009 00000 n \n0000000053 00000 n \n"
        b"trailer<</Size 3/Root 1 0 R>>\nstartxref\n99\n%%EOF\n"
    )


def docx(paragraphs: Sequence[str], table: Sequence[Sequence[str]] = ()) -> bytes:
    import docx as library

    made = library.Document()
    made.add_heading(paragraphs[0], 1)
    for text in paragraphs[1:]:
        made.add_paragraph(text)
    if table:
        rows = made.add_table(len(table), len(table[0]))
        for cells, row in zip(table, rows.rows, strict=True):
            for text, cell in zip(cells, row.cells, strict=True):
                cell.text = text
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def xlsx(sheets: Mapping[str, Sequence[Sequence[Any]]]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def prices() -> bytes:
    """A workbook of two sheets."""
    rows = [["city", "price", "since"], ["Linz", 12, date(2026, 1, 2)], ["Graz", 9.5, date(2026, 3, 1)]]
    return xlsx({"Prices": rows, "Notes": [["remark"], ["none"]]})


def rezipped(data: bytes, changed: Mapping[str, bytes]) -> bytes:
    """The archive with some of its parts replaced or added."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in dict.fromkeys([*old.namelist(), *changed]):
            new.writestr(name, changed[name] if name in changed else old.read(name))
    return out.getvalue()


def zip_of(parts: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in parts.items():
            made.writestr(name, data)
    return out.getvalue()
