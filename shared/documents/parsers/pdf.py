"""PDF: the text of its pages; one that cannot be read is told, and keeps no other from being read."""

from __future__ import annotations

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from shared.contracts.limits import DOCUMENT_PAGES
from shared.documents.parsers.reading import Reading, Wanted, problem
from shared.documents.refusals import Refused
from shared.documents.texts import clean

_PAGE_CHARACTERS = 400_000


def read(wanted: Wanted) -> Reading:
    reader = _opened(wanted)
    try:
        total = len(reader.pages)
    except Exception as error:  # noqa: BLE001 - a hostile page tree raises anything; it is one kind of damage
        raise Refused("unreadable", "The file is damaged: its list of pages cannot be read.") from error
    if not total:
        raise Refused("unreadable", "The file has no pages.")
    reading = Reading(min(total, DOCUMENT_PAGES))
    if total > DOCUMENT_PAGES and wanted.first == 0:
        reading.problems.append(problem(f"Only the first {DOCUMENT_PAGES} of {total} pages were read."))
    for number in wanted.of(reading.total):
        reading.texts.append(_page(reader, number, reading))
    return reading


def _opened(wanted: Wanted) -> PdfReader:
    try:
        reader = PdfReader(wanted.path)
        locked = reader.is_encrypted and not reader.decrypt("")
    except Exception as error:  # noqa: BLE001 - as above
        if isinstance(error, MemoryError):
            raise
        message = "The file is damaged: it begins as a PDF and cannot be read as one."
        raise Refused("unreadable", message) from error
    if locked:
        raise Refused("encrypted", "The file is encrypted: take its password off, and add it again.")
    return reader


def _page(reader: PdfReader, number: int, reading: Reading) -> str:
    try:
        text = clean(reader.pages[number].extract_text())
    except Exception as error:  # noqa: BLE001 - a bad page raises anything; it is told, and the others are kept
        if isinstance(error, MemoryError):
            raise
        said = f"{error}"[:200] if isinstance(error, PyPdfError) else type(error).__name__
        reading.problems.append(problem(f"The page cannot be read: {said}", number + 1))
        return ""
    if not text.strip():
        reading.problems.append(problem("The page has no text; a scanned picture cannot be read.", number + 1))
    if len(text) > _PAGE_CHARACTERS:
        message = f"Only the first {_PAGE_CHARACTERS} characters of the page were kept."
        reading.problems.append(problem(message, number + 1))
    return text[:_PAGE_CHARACTERS]
