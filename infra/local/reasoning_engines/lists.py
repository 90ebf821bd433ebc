"""Lists of sessions and of events: filters, orders and pages as the service takes them."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from infra.local.aiplatform.errors import invalid
from infra.local.reasoning_engines import checks
from infra.local.reasoning_engines.store import Session, sortable

PAGE_MAX = 100
_TERM = re.compile(r'\s*([a-z_]+(?:\.[A-Za-z0-9_-]+)?)\s*(>=|<=|=|>|<)\s*"((?:[^"\\]|\\.)*)"\s*')
_AND = re.compile(r"AND\b", re.IGNORECASE)
_ORDERS: Mapping[str, Callable[[Session], str]] = {
    "update_time": lambda session: sortable(session.updated),
    "create_time": lambda session: sortable(session.created),
}

T = TypeVar("T")


def terms(text: str) -> list[tuple[str, str, str]]:
    """A filter as (field, operator, value), all of which must hold."""
    found, rest = [], text.strip()
    while rest:
        term = _TERM.match(rest)
        if term is None:
            raise invalid(f"Invalid filter: {text!r}", "filter")
        found.append((term[1], term[2], re.sub(r"\\(.)", r"\1", term[3])))
        rest = rest[term.end() :]
        if rest:
            more = _AND.match(rest)
            if more is None:
                raise invalid(f"Invalid filter: {text!r}", "filter")
            rest = rest[more.end() :].strip() or "?"
    return found


def of_sessions(text: str) -> Callable[[Session], bool]:
    """Which sessions a filter lets through: user_id, display_name, labels.{key}."""
    wanted = terms(text)
    for field, operator, _ in wanted:
        if operator != "=" or not (field in ("user_id", "display_name") or field.startswith("labels.")):
            raise invalid(f"Invalid filter: {field} {operator} is not supported.", "filter")

    def lets(session: Session) -> bool:
        return all(_value(session, field) == value for field, _, value in wanted)

    return lets


def of_events(text: str) -> Callable[[str], bool]:
    """Which timestamps (sortable) a filter of events lets through: timestamp>="…"."""
    wanted = terms(text)
    for field, operator, _ in wanted:
        if field != "timestamp" or operator == "=":
            raise invalid(f"Invalid filter: {field} {operator} is not supported.", "filter")
    bounds = [(operator, sortable(checks.moment(value, "filter"))) for _, operator, value in wanted]
    holds: Mapping[str, Callable[[str, str], bool]] = {
        ">=": lambda at, bound: at >= bound,
        ">": lambda at, bound: at > bound,
        "<=": lambda at, bound: at <= bound,
        "<": lambda at, bound: at < bound,
    }
    return lambda at: all(holds[operator](at, bound) for operator, bound in bounds)


def ordered(sessions: Sequence[Session], text: str) -> list[Session]:
    """In the order asked for; by default the last updated first."""
    field, _, direction = (text.strip() or "update_time desc").partition(" ")
    if field not in _ORDERS or direction.strip() not in ("", "asc", "desc"):
        raise invalid(f"Invalid order_by: {text!r}", "order_by")
    key = _ORDERS[field]
    return sorted(sessions, key=lambda one: (key(one), one.id), reverse=direction.strip() == "desc")


def page(found: Sequence[T], query: Mapping[str, str], key: Callable[[T], str]) -> tuple[Sequence[T], str]:
    """A page of what was found, and the token of the next one; a token goes on behind the item it names."""
    about = json.dumps([query.get("filter", ""), query.get("orderBy", "")])
    start = 0
    if query.get("pageToken"):
        last = _token_of(query["pageToken"], about)
        names = [key(one) for one in found]
        start = names.index(last) + 1 if last in names else len(found)
    size = _size(query.get("pageSize", ""))
    items = found[start : start + size]
    more = start + size < len(found)
    return items, _token(key(items[-1]), about) if more and items else ""


def _size(text: str) -> int:
    if text and not text.isdecimal():
        raise invalid(f"Invalid value at 'page_size' (TYPE_INT32), {text!r}", "page_size")
    return min(int(text or 0) or PAGE_MAX, PAGE_MAX)


def _token(last: str, about: str) -> str:
    return base64.urlsafe_b64encode(json.dumps([last, about]).encode()).decode()


def _token_of(text: str, about: str) -> str:
    try:
        last, asked = json.loads(base64.urlsafe_b64decode(text))
    except (ValueError, TypeError, binascii.Error) as error:
        raise invalid("The page token is invalid.", "page_token") from error
    if asked != about:
        raise invalid("The page token is for another list.", "page_token")
    return str(last)


def _value(session: Session, field: str) -> Any:
    if field.startswith("labels."):
        return session.labels.get(field.partition(".")[2])
    return session.user_id if field == "user_id" else session.display_name
