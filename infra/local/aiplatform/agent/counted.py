"""So many things that a goal counts and does not name: who they are is found first, then each is looked into apart."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_THINGS = re.compile(
    rf"\b(?:(?:our|the|my|their|its|your)\s+)?({'|'.join(_NUMBERS)}|[2-6])\s+((?:[\w-]+\s+){{0,3}}?[\w-]+s)\b",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:contracts|documents|agreements|pdfs|files|leases|notes|tasks|days|weeks|months|years|hours|minutes|steps|"
    r"sentences|words|points|paragraphs|lines|bullets|pages|rows|columns)\b",
    re.IGNORECASE,
)
"""What is counted and is nothing to look into, or lies in the workspace."""
_OF_EACH = re.compile(r"\b(?:what|how|which|where|when|why|who)\s+(?:each|every|they)\b[^,;:.?!]*", re.IGNORECASE)
_NUMBERED = re.compile(r"\ANumber (\d) of ([^:]+): (.+)", re.DOTALL)
_NAME = r"[A-Z][\w&-]+(?: [A-Z][\w&-]+){0,2}"
_ENUMERATION = re.compile(rf"{_NAME}(?:, {_NAME})*,? and {_NAME}")


@dataclass(frozen=True)
class Counted:
    """`things` as the goal calls them, such as "our five strongest competitors"; `wanted` is asked of each."""

    number: int
    things: str
    wanted: str

    @property
    def first_task(self) -> str:
        return f"Find out who they are: {self.things}"

    def task(self, n: int) -> str:
        return f"Number {n} of {self.things}: {self.wanted}"

    def title(self, n: int) -> str:
        word = self.things.split()[-1]
        single = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
        return f"{single} {n}"


def counted(goal: str) -> Counted | None:
    """None where nothing is counted of which each is asked for."""
    wanted = _OF_EACH.search(goal)
    for match in _THINGS.finditer(goal):
        if wanted is not None and not _OWN.search(match[2]):
            number = _NUMBERS.get(match[1].lower()) or int(match[1])
            return Counted(number, match[0].strip(), wanted[0].strip())
    return None


def named(task: str, found: Iterable[str]) -> str:
    """The task with the name of the thing that it numbers, where the step before has found so many; else the task."""
    numbered = _NUMBERED.match(task)
    if numbered is None:
        return task
    enumerations = [re.findall(_NAME, one) for text in found for one in _ENUMERATION.findall(text)]
    names = max(enumerations, key=len, default=[])
    n = int(numbered[1])
    return f"{names[n - 1]}: {numbered[3]}" if n <= len(names) else task
