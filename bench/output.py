"""The table and the JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.row import Row

BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
HEAD = ("subject", "what", "local", "Google's", "ratio", "best", "goal", "")
WIDTHS = (10, 44, 13, 13, 8, 8, 10, 12)


def line(cells: Sequence[str]) -> str:
    """One line of the table: text to the left, figures to the right."""
    padded = [
        cell.ljust(width) if at in (0, 1, 7) else cell.rjust(width)
        for at, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    ]
    return " ".join(padded).rstrip()


def cells(row: Row) -> tuple[str, ...]:
    """The texts of one row."""
    figures = _figure(row.local, row.unit), _other(row), _ratio(row.ratio), _ratio(row.best)
    return row.subject, row.what, *figures, _goal(row), _verdict(row)


def into_docs(path: Path, facts: dict[str, Any], rows: Sequence[Row]) -> None:
    """Put facts and table into a document, between the marks. Raises ValueError without them."""
    text = path.read_text(encoding="utf-8")
    before, begun, rest = text.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not begun or not ended:
        raise ValueError(f"{path} lacks {BEGIN} or {END}")
    after_load = " ".join(map(str, facts.get("load_after", [])))
    said = header(facts).replace("\n", "  \n") + f"  \nload at the end {after_load}"
    path.write_text(f"{before}{BEGIN}\n{said}\n\n{_markdown(rows)}\n{END}{after}", encoding="utf-8")


def _markdown(rows: Sequence[Row]) -> str:
    head = "| " + " | ".join((*HEAD[:-1], "remark")) + " |"
    rule = "|---|---|--:|--:|--:|--:|--:|---|"
    return "\n".join([head, rule, *("| " + " | ".join(cells(row)) + " |" for row in rows)])


def header(facts: dict[str, Any]) -> str:
    """What it ran on, in a few lines."""
    machine, packages = facts["machine"], ", ".join(f"{name} {version}" for name, version in facts["packages"].items())
    emulators = ", ".join(f"{name} {version}" for name, version in facts["emulators"].items()) or "not installed"
    return (
        f"{facts['date']}; {machine['cores']} x {machine['cpu']}, {machine['memory_gb']} GB, {machine['system']}\n"
        f"load {' '.join(map(str, facts['load']))}; Python {facts['python']}; {packages}\n"
        f"Google's emulators: {emulators}{'; ' + facts['java'] if facts['java'] else ''}\n"
        "Medians of interleaved rounds; ratio: how many times as good the local cloud is, the median over the\n"
        "rounds; best: the same of the fastest rounds, which a loaded machine disturbs least"
    )


def write_json(path: Path, facts: dict[str, Any], rows: Sequence[Row]) -> None:
    """Facts and rows, for a machine to read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({**facts, "rows": [row.as_dict() for row in rows]}, indent=2)
    path.write_text(text + "\n", encoding="utf-8")


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _other(row: Row) -> str:
    return "" if row.google is None else _figure(row.google, row.unit)


def _figure(value: float, unit: str) -> str:
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}"


def _goal(row: Row) -> str:
    if row.at_most is not None:
        return f"<= {row.at_most:g} {row.unit}"
    return "" if row.at_least is None else f">= {row.at_least:g}"


def _verdict(row: Row) -> str:
    words = ["missed"] if row.reached is False else []
    return ", ".join([*words, *(["noisy"] if row.noisy else [])])
