"""CSV and Excel: rows as lines, and of each table its schema and first rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from shared.contracts.limits import DOCUMENT_CHARACTERS, TABLES_KEPT
from shared.documents.archives import office_type
from shared.documents.parsers.reading import Reading, Wanted, problem
from shared.documents.parsers.schema import Schema, shown
from shared.documents.refusals import Refused
from shared.documents.texts import clean, decoded

_SNIFFED = 20_000
_DELIMITERS = ",;\t|"
_FIELD_CHARACTERS = 1_000_000


def read_csv(wanted: Wanted) -> Reading:
    reading = Reading(1, paged=False)
    if wanted.first == 0:
        reading.texts.append(_sheet("", csv_rows(decoded(wanted.path.read_bytes())), reading, None))
    return reading


def read_xlsx(wanted: Wanted) -> Reading:
    book = opened(wanted)
    try:
        sheets = book.worksheets
        reading = Reading(len(sheets))
        if not sheets:
            raise Refused("unreadable", "The workbook has no sheets.")
        for number in wanted.of(len(sheets)):
            reading.texts.append(_tolerant(sheets[number], reading, number + 1))
        return reading
    finally:
        book.close()


def opened(wanted: Wanted) -> Any:
    """The workbook, row by row and with values instead of formulas. Raises Refused."""
    import openpyxl

    file = io.BytesIO(wanted.path.read_bytes())  # of a path it would judge the ending
    office_type(file)
    try:
        return openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
    except Exception as error:  # noqa: BLE001 - a hostile file raises anything; it is one kind of damage
        if isinstance(error, MemoryError):
            raise
        raise Refused("unreadable", "The file is damaged: it cannot be read as a workbook.") from error


def csv_rows(text: str) -> Iterator[list[str]]:
    """The rows of a CSV, whatever parts its columns."""
    csv.field_size_limit(_FIELD_CHARACTERS)
    try:
        dialect: type[csv.Dialect] = csv.Sniffer().sniff(text[:_SNIFFED], _DELIMITERS)
    except csv.Error:
        dialect = csv.excel
    try:
        yield from csv.reader(io.StringIO(text.replace("\x00", "")), dialect)
    except csv.Error as error:
        raise Refused("unreadable", f"The file cannot be read as a table: {error}") from error


def sheet_rows(sheet: Any) -> Iterator[Sequence[Any]]:
    """The rows of a sheet, as long as they are: what a sheet says of its own size may be a lie."""
    if hasattr(sheet, "reset_dimensions"):
        sheet.reset_dimensions()
    yield from sheet.iter_rows(values_only=True)


def _tolerant(sheet: Any, reading: Reading, page: int) -> str:
    try:
        return _sheet(str(sheet.title), sheet_rows(sheet), reading, page)
    except Refused:
        raise
    except Exception as error:  # noqa: BLE001 - a bad sheet raises anything; it is told, and the others are kept
        if isinstance(error, MemoryError):
            raise
        reading.problems.append(problem(f"The sheet cannot be read: {type(error).__name__}", page))
        return ""


def _sheet(name: str, rows: Iterable[Sequence[Any]], reading: Reading, page: int | None) -> str:
    schema, lines, size = Schema(name), [f"# {name}"] if name else [], 0
    for row in rows:
        cells = schema.row(row)
        if not any(cells) or size > DOCUMENT_CHARACTERS:
            continue
        lines.append(" | ".join(shown(cell) for cell in cells).rstrip(" |"))
        size += len(lines[-1])
    if size > DOCUMENT_CHARACTERS:
        reading.problems.append(problem("The table is too long: its last rows were left out of the text.", page))
    if schema.left_out:
        message = f"The table has {schema.width} columns; only the first {schema.width - schema.left_out} were kept."
        reading.problems.append(problem(message, page))
    if len(reading.tables) < TABLES_KEPT and schema.width:
        reading.tables.append(schema.table())
    return clean("\n".join(lines)) if schema.width else ""
