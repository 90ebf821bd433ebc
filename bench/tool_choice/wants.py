"""What a prompt asks for: calls with the arguments that matter, or none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Words:
    """A text that has all of these words, in any form of case; a word may be a beginning."""

    words: tuple[str, ...]

    def fits(self, given: Any) -> bool:
        text = str(given).casefold()
        return all(re.search(rf"\b{re.escape(word.casefold())}", text) for word in self.words)


@dataclass(frozen=True)
class OneOf:
    """Any of these values."""

    values: tuple[Any, ...]

    def fits(self, given: Any) -> bool:
        return any(_fits(value, given) for value in self.values)


def words(text: str) -> Words:
    return Words(tuple(text.split()))


def one_of(*values: Any) -> OneOf:
    return OneOf(values)


@dataclass(frozen=True)
class Want:
    """A call of that tool; of its arguments only those named count."""

    tool: str
    arguments: Mapping[str, Any]

    def fits(self, arguments: Mapping[str, Any]) -> bool:
        """Whether the arguments of a call are what was wanted."""
        return _fits(self.arguments, arguments)


def want(tool: str, /, **arguments: Any) -> Want:
    return Want(tool, arguments)


@dataclass(frozen=True)
class Told:
    """A call that was made before, and what it was answered."""

    tool: str
    arguments: Mapping[str, Any]
    result: Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """What the person says, after the calls `told`, and what the next answer should call.

    Each of `wanted` is one way to do it right: all calls of it and no other, in any order. () is a way too: no call.
    """

    name: str
    text: str
    wanted: tuple[tuple[Want, ...], ...]
    told: tuple[Told, ...] = ()

    @property
    def abstains(self) -> bool:
        """Whether no tool at all is right."""
        return self.wanted == ((),)


def case(name: str, text: str, *wants: Want, told: tuple[Told, ...] = (), or_else: tuple[Want, ...] = ()) -> Case:
    """A case that wants these calls at once; or, where that is as right, the one call of `or_else`."""
    return Case(name, text, (wants, *((other,) for other in or_else)), told)


def _fits(wanted: Any, given: Any) -> bool:
    if isinstance(wanted, Words | OneOf):
        return wanted.fits(given)
    if isinstance(wanted, Mapping):
        return isinstance(given, Mapping) and all(
            name in given and _fits(value, given[name]) for name, value in wanted.items()
        )
    if isinstance(wanted, list):
        return (
            isinstance(given, list | tuple)
            and len(given) == len(wanted)
            and all(any(_fits(value, one) for one in given) for value in wanted)
        )
    return bool(wanted == given)
