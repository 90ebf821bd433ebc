"""Copying conversations from one store to another: each verified, none written over by an older one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from shared.errors import MemexError, Transient
from shared.sessions.errors import VersionConflict
from shared.sessions.port import PAGE_MAX, SessionStore

PASSES = 5
"""So often at most the source is gone through: what is saved meanwhile moves to the front of its list."""
GIVE_UP = 3
"""So many conversations in a row without an answer of a store end the copying."""


class Outcome(StrEnum):
    COPIED = "copied"
    THERE = "there"
    """The same is there already."""
    NEWER = "newer"
    """What is there is newer, and stays."""
    GONE = "gone"
    """It was forgotten while this ran."""
    FAILED = "failed"


@dataclass(frozen=True)
class Copied:
    """What became of one conversation; `cursor` goes on with its page ("" is the first), `round` counts from 1."""

    session_id: str
    outcome: Outcome
    cursor: str
    round: int
    message: str = ""


def copy(source: SessionStore, target: SessionStore, owner: str | None, *, cursor: str = "") -> Iterator[Copied]:
    """Copy the conversations of an owner, again until a round finds nothing new. Raises Transient when a store is away.

    `cursor` is where an earlier copying stopped. Whatever it says, every conversation is looked at before this ends.
    """
    start: str = cursor
    for number in range(1, PASSES + 1):
        copied = 0
        for one in _round(source, target, owner, start, number):
            copied += one.outcome is Outcome.COPIED
            yield one
        if not copied and not start:
            return
        start = ""


def _round(source: SessionStore, target: SessionStore, owner: str | None, cursor: str, number: int) -> Iterator[Copied]:
    away = 0
    while True:
        page = source.list_by_user(owner, limit=PAGE_MAX, cursor=cursor or None)
        for entry in page.entries:
            try:
                outcome, message = _copied(source, target, entry.session_id)
                away = 0
            except MemexError as error:
                outcome, message = Outcome.FAILED, error.message
                away = away + 1 if isinstance(error, Transient) else 0
            yield Copied(entry.session_id, outcome, cursor, number, message)
            if away >= GIVE_UP:
                raise Transient(f"A store does not answer: {message}")
        if page.next_cursor is None:
            return
        cursor = page.next_cursor


def _copied(source: SessionStore, target: SessionStore, session_id: str) -> tuple[Outcome, str]:
    """Copy one, and read it again. Raises MemexError."""
    wanted, there = source.hydrate(session_id), target.hydrate(session_id)
    if wanted is None:
        return Outcome.GONE, ""
    if there == wanted:
        return Outcome.THERE, ""
    if there is not None and there.version >= wanted.version:
        return Outcome.NEWER, f"version {there.version} is there, and {wanted.version} was to be copied"
    try:
        target.persist(session_id, wanted)
    except VersionConflict as error:
        return Outcome.NEWER, error.message
    found = target.hydrate(session_id)
    if found == wanted:
        return Outcome.COPIED, ""
    if found is not None and found.version > wanted.version:
        return Outcome.NEWER, "it was saved again right after it was copied"
    raise MemexError(f"The copy of {session_id} does not read back as it was written.")
