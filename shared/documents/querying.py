"""In the worker: SQL on the tables of a document, with DuckDB, which reaches no file and no network once they are in.

One SELECT, on one connection that is thrown away; memory, threads and rows end, and so does the process.
"""

from __future__ import annotations

import csv
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import duckdb

from shared.contracts.documents import DocumentType
from shared.contracts.limits import TABLE_COLUMNS
from shared.documents.parsers.reading import Wanted
from shared.documents.parsers.schema import text_of
from shared.documents.parsers.sheets import csv_rows, opened, sheet_rows
from shared.documents.refusals import Refused
from shared.documents.texts import decoded

_MEMORY = "512MB"
_CELL_CHARACTERS = 500
_WIDE = re.compile(r"[^a-z0-9]+")
_BOUNDS: dict[str, str | bool | int | float | list[str]] = {
    "memory_limit": _MEMORY,
    "threads": 2,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


def query(asked: Mapping[str, Any]) -> dict[str, Any]:
    """{columns, rows, more} of `sql`; rows are objects, at most `rows` of them. Raises Refused with what is wrong."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(":memory:", config=_BOUNDS) as database:
        names = _load(database, Path(asked["path"]), DocumentType(asked["type"]), Path(folder))
        database.execute("SET enable_external_access = false")
        database.execute("SET lock_configuration = true")
        return _answer(database, asked["sql"], asked["rows"], names)


def _answer(database: duckdb.DuckDBPyConnection, sql: str, most: int, names: Sequence[str]) -> dict[str, Any]:
    try:
        statements = database.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise Refused("sql", f"Give one SELECT; the tables are {', '.join(names)}.")
        result = database.execute(statements[0])
        columns = _distinct([str(one[0]) for one in result.description or ()])
        found = result.fetchmany(most + 1)
    except duckdb.Error as error:
        raise Refused("sql", f"{str(error)[:500]} (The tables are {', '.join(names)}.)") from error
    rows = [dict(zip(columns, map(_plain, row), strict=True)) for row in found[:most]]
    return {"columns": columns, "rows": rows, "more": len(found) > most}


def _load(database: duckdb.DuckDBPyConnection, path: Path, kind: DocumentType, folder: Path) -> list[str]:
    """Each table under its name; the first one also as `data`. The names."""
    names: list[str] = []
    for number, (name, rows) in enumerate(_tables(path, kind)):
        file = folder / f"{number}.csv"
        if not _written(file, rows):
            continue
        named = "data" if not names else _name(name, number, names)
        database.execute(
            f'CREATE TABLE "{named}" AS SELECT * FROM read_csv(?, header=true, sample_size=-1, null_padding=true)',
            [str(file)],
        )
        if not names and name and (alias := _name(name, number, ["data"])):
            database.execute(f'CREATE VIEW "{alias}" AS SELECT * FROM data')
            names.append(alias)
        names.append(named)
    if not names:
        raise Refused("no_table", "There is no table in this document.")
    return names


def _tables(path: Path, kind: DocumentType) -> Iterable[tuple[str, Iterable[Sequence[Any]]]]:
    if kind is DocumentType.CSV:
        yield "", csv_rows(decoded(path.read_bytes()))
    elif kind is DocumentType.XLSX:
        for sheet in opened(Wanted(path, 0, 0)).worksheets:
            yield str(sheet.title), sheet_rows(sheet)
    else:
        raise Refused("no_table", "Only csv and xlsx documents have tables to calculate with.")


def _written(file: Path, rows: Iterable[Sequence[Any]]) -> bool:
    """The rows as plain CSV with a heading of distinct names; whether there is any row."""
    width, any_row = 0, False
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        for row in rows:
            cells = [text_of(value).strip() for value in row[:TABLE_COLUMNS]]
            if not any(cells):
                continue
            if not width:
                width = len(cells)
                names = [cell or f"column {at}" for at, cell in enumerate(cells, 1)]
                writer.writerow(_distinct(names))
                continue
            any_row = True
            writer.writerow((cells + [""] * width)[:width])
    return any_row


def _name(title: str, number: int, taken: Sequence[str]) -> str:
    plain = _WIDE.sub("_", title.lower()).strip("_")[:40] or f"table_{number + 1}"
    return plain if plain not in taken else f"{plain}_{number + 1}"


def _distinct(names: Sequence[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        wanted, n = name, 1
        while wanted.lower() in {one.lower() for one in found}:
            n += 1
            wanted = f"{name} {n}"
        found.append(wanted)
    return found


def _plain(value: Any) -> Any:
    """As JSON has it."""
    if value is None or isinstance(value, bool | int | float):
        return value if not isinstance(value, float) or value == value and abs(value) != float("inf") else str(value)
    if type(value).__name__ == "Decimal":
        return float(value)
    if isinstance(value, date):
        return text_of(value)
    return str(value)[:_CELL_CHARACTERS]
