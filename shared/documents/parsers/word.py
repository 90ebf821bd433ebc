"""Word: paragraphs and tables in their order, headings as in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import docx
from docx.table import Table

from shared.documents.archives import office_type
from shared.documents.parsers.reading import Reading, Wanted
from shared.documents.refusals import Refused
from shared.documents.texts import clean

if TYPE_CHECKING:
    from docx.text.paragraph import Paragraph

_HEADING = re.compile(r"Heading ([1-6])\Z")


def read(wanted: Wanted) -> Reading:
    with wanted.path.open("rb") as file:
        office_type(file)
    try:
        opened = docx.Document(str(wanted.path))
        text = clean("\n\n".join(_blocks(opened)))
    except Exception as error:  # noqa: BLE001 - a hostile file raises anything; it is one kind of damage
        if isinstance(error, MemoryError):
            raise
        raise Refused("unreadable", "The file is damaged: it cannot be read as a Word document.") from error
    return Reading(1, paged=False, texts=[text][wanted.first :])


def _blocks(opened: Any) -> Iterator[str]:
    for block in opened.iter_inner_content():
        if isinstance(block, Table):
            rows = (" | ".join(" ".join(cell.text.split()) for cell in row.cells) for row in block.rows)
            yield "\n".join(rows)
        elif block.text.strip():
            yield _paragraph(block)


def _paragraph(paragraph: Paragraph) -> str:
    name = (paragraph.style.name if paragraph.style is not None else "") or ""
    level = _HEADING.match(name)
    return f"{'#' * int(level[1])} {paragraph.text}" if level else paragraph.text
