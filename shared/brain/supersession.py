"""When a later statement may end an earlier one: checked by code, whoever proposes it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import TypeVar

from shared.brain.statements import Statement, content
from shared.contracts.memory import Verdict

_BEGINNING = datetime.min.replace(tzinfo=timezone.utc)
_END = datetime.max.replace(tzinfo=timezone.utc)
_TAKEN_BACK = frozenset(["prefers", "owns", "has", "habit", "plan", "decision", "avoids"])
_CHANGED = re.compile(r"\b(?:now|no longer|any ?more|instead|from now on|after all|these days)\b", re.I)
_ABOUT = 0.5
"""So much of what the old statement led to is named by the new one that takes it back."""
_RECENT = timedelta(days=365)
T = TypeVar("T", datetime, tuple[datetime, datetime])

_ONE = """
employer occupation residence email phone spouse name boss manager age weight height address salary title status
deadline budget version owner price time amount place goal number bank dentist landlord rent desk room office insurance
"""
_SINGLE = frozenset(_ONE.split())
_SINGLE_BEFORE = ("favourite ", "favorite ", "current ", "preferred ")
_FIXED = frozenset(["birthday", "birthplace", "blood type", "mother", "father", "founded"])
"""What does not change: two of them cannot both be true, and the later is no better than the earlier."""
REASONS = {
    Verdict.SUPERSEDE: "The later statement tells what holds since.",
    Verdict.CONFLICT: "One of the two is wrong: there is one of these at a time.",
}
"""Why a verdict of `by_rule` is given, as a sentence."""


def one_at_a_time(property_key: str) -> bool:
    """Whether a subject has one value of the property at any time, as far as rules know."""
    last = property_key.rpartition(" ")[2]
    return last in _SINGLE or property_key in _FIXED or property_key.startswith(_SINGLE_BEFORE)


def begins(statement: Statement) -> datetime:
    """From when it is known to hold: as it says itself, else from when it was said."""
    stated = _stated_beginning(statement)
    return statement.said_at if stated is None else stated


def ends(statement: Statement) -> datetime:
    return statement.valid_to or _END


def overlap(one: Statement, other: Statement) -> bool:
    """Whether there is a moment for which both are stated."""
    return begins(one) < ends(other) and begins(other) < ends(one)


def later(one: Statement, other: Statement) -> bool | None:
    """Whether the one tells of a later state than the other; None where neither does.

    Beginnings that both state decide. One that is stated is compared with when the other was said, and the person's
    newest word on a recent change is not held against what they said before of no time at all.
    """
    mine, theirs = _stated_beginning(one), _stated_beginning(other)
    if mine is not None and theirs is not None:
        return _after((mine, one.said_at), (theirs, other.said_at))
    if mine is None and theirs is None:
        return _after(one.said_at, other.said_at)
    if mine is not None:
        newest = one.said_at >= other.said_at
        return mine > other.said_at - (_RECENT if newest else timedelta(0))
    after = later(other, one)
    return None if after is None else not after


def objection(new: Statement, old: Statement) -> str:
    """Why neither of the two can end or contradict the other, as a sentence; empty where it can."""
    if new.subject_key != old.subject_key:
        return "They are about different subjects."
    if not new.property_key or new.property_key != old.property_key:
        return "They state different properties."
    if not overlap(new, old) or _over(new, old) or _over(old, new):
        return "They hold at different times."
    if new.text == old.text or (new.object_key and new.object_key == old.object_key and new.denies == old.denies):
        return "They state the same."
    return ""


def by_rule(new: Statement, old: Statement) -> Verdict | None:
    """What the rules make of two statements: the later supersedes, two that are fixed conflict; None: both may hold."""
    if objection(new, old):
        return None
    if not one_at_a_time(new.property_key):
        return Verdict.SUPERSEDE if _takes_back(new, old) else None
    if new.property_key in _FIXED or later(new, old) is None:
        return Verdict.CONFLICT
    return Verdict.SUPERSEDE


def _takes_back(new: Statement, old: Statement) -> bool:
    """Whether the new says itself that something changed, of what the old was about."""
    what = content(old.object_key)
    if new.property_key not in _TAKEN_BACK or not _CHANGED.search(new.text) or not what or not later(new, old):
        return False
    return len(what & new.stems) >= _ABOUT * len(what)


def _stated_beginning(statement: Statement) -> datetime | None:
    """What is over began at some time before; when, nobody said."""
    if statement.valid_from is None and statement.valid_to is not None and statement.valid_to <= statement.said_at:
        return _BEGINNING
    return statement.valid_from


def _over(one: Statement, other: Statement) -> bool:
    """Whether the one was known to be over when the other was said: it says nothing of that time."""
    return one.valid_to is not None and one.valid_to <= other.said_at


def _after(one: T, other: T) -> bool | None:
    return None if one == other else one > other
