"""Three invented contracts as PDFs, to have documents with deadlines in them. Companies and people are made up.

`python -m infra.cli.demo.make_contracts` makes contracts/*.pdf from the texts beside them, each time the same bytes; it
needs fpdf2, which the tests bring.
"""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fpdf import FPDF

FOLDER = Path(__file__).parent / "contracts"
_MADE = datetime(2026, 1, 15, 9, 0, tzinfo=timezone.utc)
_SECTIONS_PER_PAGE = 2


def pdf_of(text: str) -> bytes:
    """The contract set on A4: # is its title, ## begins a section, and every second section begins a page."""
    from fpdf import FPDF

    made = FPDF(format="A4")
    made.set_creation_date(_MADE)
    made.set_margins(24, 22, 24)
    made.set_auto_page_break(True, 22)
    made.add_page()
    sections = 0
    for block in (" ".join(block.split()) for block in text.split("\n\n")):
        if block.startswith("## "):
            if sections and sections % _SECTIONS_PER_PAGE == 0:
                made.add_page()
            sections += 1
            _set(made, block.removeprefix("## "), 12.5, bold=True, above=5)
        elif block.startswith("# "):
            made.set_title(block.removeprefix("# "))
            _set(made, block.removeprefix("# "), 17, bold=True)
        elif block != "---":
            _set(made, block, 11.5, above=1.5)
        else:
            made.ln(8)
    return bytes(made.output())


def _set(made: FPDF, text: str, size: float, *, bold: bool = False, above: float = 0) -> None:
    made.ln(above)
    made.set_font("times", "B" if bold else "", size)
    made.multi_cell(0, size / 2 + 0.5, text, new_x="LMARGIN", new_y="NEXT")


def main() -> None:
    """Write the files."""
    for source in sorted(FOLDER.glob("*.md")):
        source.with_suffix(".pdf").write_bytes(pdf_of(source.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
