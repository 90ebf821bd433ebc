"""The answer by rule: what each step found, under its title, with the ids it cites; a table where one is wanted."""

from __future__ import annotations

import re

from infra.local.aiplatform.agent.dates import quarter_wanted, quarters
from infra.local.aiplatform.agent.marks import Piece, piece, pieces
from infra.local.aiplatform.terms import terms

_IDS = re.compile(r"\[\d+\.\d+\]")
_TABLE = re.compile(r"\b(?:table|tabelle|compare what)\b", re.IGNORECASE)
_ASKED = re.compile(r"\bwhat\s+[^,;:.?!\n]{1,60}", re.IGNORECASE)
_BULLET = re.compile(r"^[-*]\s+")


def answer(material: str, label: str) -> str:
    """The whole answer, in Markdown."""
    goal, steps = piece(material, "goal"), pieces(material, "step")
    found = [(step, lines) for step in steps if (lines := _lines(step))]
    missing = [step for step in steps if not _lines(step)]
    table = len(found) > 1 and _TABLE.search(goal) is not None
    parts = [_table(found, goal)] if table else [_section(step, lines, alone=len(found) == 1) for step, lines in found]
    if (quarter := quarter_wanted(goal)) is not None:
        due = [line for _step, lines in found for line in lines if quarter in quarters(line)]
        first = f"## In quarter {quarter}\n\n" + ("\n".join(dict.fromkeys(due)) or "Nothing falls into it.")
        parts = [first, *(["## All that was found"] if len(found) == 1 else []), *parts]
    if missing:
        parts.append("Not found: " + "; ".join(_missed(step) for step in missing) + ".")
    if stopped := piece(material, "stopped"):
        parts.append(f"The run was stopped before its end, at a bound ({stopped}): this is what there was by then.")
    return "\n\n".join([*parts, label])


def _lines(step: Piece) -> list[str]:
    """Its statements that cite something."""
    return [line.strip() for line in step.text.splitlines() if _IDS.search(line)]


def _section(step: Piece, lines: list[str], *, alone: bool) -> str:
    heading = "" if alone else f"## {step.attributes.get('title', '')}\n\n"
    return heading + "\n".join(line if _BULLET.match(line) else f"- {line}" for line in lines)


def _table(found: list[tuple[Piece, list[str]]], goal: str) -> str:
    """A row for each step, with what the goal asks of each where it says that: "what each one charges"."""
    asked = _ASKED.search(goal)
    heading = asked[0].strip().replace("|", "/") if asked else "what was found"
    rows = [f"| | {heading[:1].upper()}{heading[1:]} |", "|---|---|"]
    for step, lines in found:
        told = _bearing(lines, terms(asked[0])) if asked else lines
        cell = " ".join(_BULLET.sub("", line) for line in told).replace("|", "/")
        rows.append(f"| {step.attributes.get('title', '').replace('|', '/')} | {cell} |")
    return "\n".join(rows)


def _bearing(lines: list[str], wanted: frozenset[str]) -> list[str]:
    """Those with all the words that are asked for; without any such line, those with most of them."""
    shared = [len(wanted & terms(line)) for line in lines]
    return [line for line, count in zip(lines, shared, strict=True) if count == max(shared)]


def _missed(step: Piece) -> str:
    status = step.attributes.get("status", "")
    return step.attributes.get("title", "") + (f" (the step was {status})" if status != "succeeded" else "")
