"""filter, order_by and paging of ListExecutions."""

from __future__ import annotations

import base64
import binascii
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from infra.local.workflows.store import ExecutionRow

_DEFAULT_PAGE, _LARGEST_PAGE = 100, 1000
_TERM = re.compile(
    r"""\s*(?P<field>[A-Za-z_]+(?:\.[A-Za-z0-9_-]+)?)\s*(?P<op><=|>=|!=|=|<|>|:)\s*(?P<value>"[^"]*"|'[^']*'|[^\s"']+)\s*"""
)
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    ":": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_FIELDS: dict[str, Callable[[ExecutionRow], Any]] = {
    "executionId": lambda row: row.id,
    "state": lambda row: row.state,
    "createTime": lambda row: row.started,
    "startTime": lambda row: row.started,
    "endTime": lambda row: row.ended,
    "duration": lambda row: row.ended - row.started if row.ended else None,
    "workflowRevisionId": lambda row: row.revision,
}


@dataclass(frozen=True)
class Page:
    rows: list[ExecutionRow]
    next_token: str


def select(rows: Sequence[ExecutionRow], filter: str, order_by: str, size: int, token: str) -> Page:
    """One page of `rows`, which come newest first. Raises ValueError for what it does not understand.

    A token remembers the newest execution there was, so executions made meanwhile do not shift the pages.
    """
    if size < 0:
        raise ValueError("page_size must not be negative")
    offset, newest = _read_token(token) if token else (0, rows[0].number if rows else 0)
    keep = _predicate(filter)
    chosen = _ordered([row for row in rows if row.number <= newest and keep(row)], order_by)
    end = offset + min(size or _DEFAULT_PAGE, _LARGEST_PAGE)
    following = base64.urlsafe_b64encode(f"{end}.{newest}".encode()).decode() if end < len(chosen) else ""
    return Page(chosen[offset:end], following)


def _read_token(token: str) -> tuple[int, int]:
    try:
        offset, newest = base64.urlsafe_b64decode(token).decode().split(".")
        return int(offset), int(newest)
    except (ValueError, binascii.Error) as error:
        raise ValueError("the page token is not one of this list") from error


def _predicate(filter: str) -> Callable[[ExecutionRow], bool]:
    terms = [_term(part) for part in re.split(r"\s+AND\s+", filter.strip())] if filter.strip() else []
    return lambda row: all(term(row) for term in terms)


def _term(text: str) -> Callable[[ExecutionRow], bool]:
    found = _TERM.fullmatch(text)
    if found is None:
        raise ValueError(f"cannot understand the filter {text!r}")
    field, value = found["field"], found["value"].strip("\"'")
    compare = _COMPARE[found["op"]]
    read, wanted = _reader(field), _wanted(field, value)
    return lambda row: (actual := read(row)) is not None and compare(actual, wanted)


def _reader(field: str) -> Callable[[ExecutionRow], Any]:
    prefix, _, key = field.partition(".")
    if prefix in ("label", "labels") and key:
        return lambda row: row.labels.get(key)
    if field not in _FIELDS:
        raise ValueError(f"cannot filter or order by '{field}'")
    return _FIELDS[field]


def _wanted(field: str, value: str) -> Any:
    if field.endswith("Time"):
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone")
        return moment
    return timedelta(seconds=float(value.removesuffix("s"))) if field == "duration" else value


def _ordered(rows: list[ExecutionRow], order_by: str) -> list[ExecutionRow]:
    for part in reversed([part.strip() for part in order_by.split(",") if part.strip()]):
        field, _, direction = part.partition(" ")
        if direction.strip() not in ("", "asc", "desc"):
            raise ValueError(f"cannot order by {part!r}")
        read = _reader(field)
        known = sorted((row for row in rows if read(row) is not None), key=read, reverse=direction.strip() == "desc")
        rows = known + [row for row in rows if read(row) is None]
    return rows
