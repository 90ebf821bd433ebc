"""From a goal to steps by rule: what is listed is looked into apart, what follows with a verb of its own is a step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from infra.local.aiplatform.agent.counted import Counted, counted
from infra.local.aiplatform.terms import terms

_MOST = 6
_QUOTES = re.compile(r"\s+")
_LIST = re.compile(r"(?::|\b(?:compare|between|of|about|on|each of)\b)\s+([^:;.?!]+)", re.IGNORECASE)
_AND = re.compile(r"\s*(?:,\s*(?:and\s+|or\s+|und\s+|oder\s+)?|\s+(?:and|or|und|oder|versus|vs\.?)\s+)", re.IGNORECASE)
_LINES = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+(.+)$", re.MULTILINE)
_CLAUSES = re.compile(r"\s*(?:;|[.?!](?=\s|$)|,\s+(?:and\s+|then\s+)*(?=[a-z]+\b)|\s+and\s+then\s+)\s*")
_WRITING = re.compile(
    r"\b(?:table|sum(?:marise|marize)? (?:it|them|all)? ?up|write (?:it|that|a report)|put (?:it|them|that) in|"
    r"say which|answer|list them|overview)\b",
    re.IGNORECASE,
)
_LOOKING = re.compile(r"(?:please\s+)?(?:go through|look (?:at|through)|read|take)\b", re.IGNORECASE)
_LEANING = re.compile(r"\b(?:each|them|they|those|these|it|which|their)\b", re.IGNORECASE)
_TITLE = 60
_WORDS_OF_AN_ITEM = 6


def plan(goal: str) -> dict[str, Any]:
    """{"steps": […]} as the planner is asked for it; one step where nothing can be told apart."""
    items = _listed(goal)
    if items:
        tasks = [f"Find out about {item}. Asked as a part of: {goal}" for item in items]
        return {"steps": [_step(n, item, task) for n, (item, task) in enumerate(zip(items, tasks, strict=True), 1)]}
    if (things := counted(goal)) is not None:
        return {"steps": list(_of_each(things, goal))}
    clauses = [clause for clause in _CLAUSES.split(goal) if _says_something(clause)]
    asked = [clause for clause in clauses if not _WRITING.search(clause)][:_MOST] or [goal]
    looking = ""
    if len(asked) > 1 and _LOOKING.match(asked[0]) and _LEANING.search(asked[1]):
        looking = f" ({asked.pop(0)})"  # looking is no work of its own: what is looked for is
    steps: list[dict[str, Any]] = []
    for n, clause in enumerate(asked, 1):
        leans = n > 1 and _LEANING.search(clause) is not None
        task = goal if clause == goal else f"{clause}{looking}. Asked as a part of: {goal}"
        steps.append(_step(n, clause, task, *((f"s{n - 1}",) if leans else ())))
    return {"steps": steps}


def _of_each(things: Counted, goal: str) -> Iterator[dict[str, Any]]:
    """A step that finds who they are, then one for each of them, side by side."""
    part = f". Asked as a part of: {goal}"
    yield _step(1, things.things, things.first_task + part)
    for n in range(1, things.number + 1):
        yield _step(n + 1, things.title(n), things.task(n) + part, "s1")


def _listed(goal: str) -> list[str]:
    """Items of a list in the goal: its lines, or names after a colon or "compare"; none for fewer than two."""
    lines = [line.strip(" .;") for line in _LINES.findall(goal)]
    if len(lines) >= 2:
        return lines[:_MOST]
    for match in _LIST.finditer(goal):
        items = [item.strip(" .;“”\"'") for item in _AND.split(match[1])]
        items = [item for item in items if item]
        if len(items) >= 3 and all(len(item.split()) <= _WORDS_OF_AN_ITEM and terms(item) for item in items):
            return items[:_MOST]
    return []


def _says_something(clause: str) -> bool:
    return len(terms(clause)) >= 1 and len(clause.split()) >= 2


def _step(n: int, title: str, task: str, *depends_on: str) -> dict[str, Any]:
    flat = _QUOTES.sub(" ", title).strip()
    short = flat if len(flat) <= _TITLE else flat[:_TITLE].rsplit(" ", 1)[0] + " …"
    named = short[:1].upper() + short[1:]
    return {"id": f"s{n}", "title": named, "task": task, "tool": "sub_agent", "depends_on": list(depends_on)}
