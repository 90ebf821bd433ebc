"""Copying conversations from one store to another: each verified, none written over by an older one."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

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


def copy(
    source: SessionStore, target: SessionStore, owner: str | None, *, cursor: str = "", workers: int = 1
) -> Iterator[Copied]:
    """Copy the conversations of an owner, again until a round finds nothing new. Raises Transient when a store is away.

    `cursor` is where an earlier copying stopped. Whatever it says, every conversation is looked at before this ends.
    So many `workers` copy at once; what became of each is told in the order of the source's list.
    """
    start = cursor
    with ThreadPoolExecutor(workers, "copy") as pool:
        for number in range(1, PASSES + 1):
            copied = 0
            for one in _Round(source, target, pool, workers, number).go(owner, start):
                copied += one.outcome is Outcome.COPIED
                yield one
            if not copied and not start:
                return
            start = ""


@dataclass(frozen=True)
class _Round:
    """One way through the source's list."""

    source: SessionStore
    target: SessionStore
    pool: ThreadPoolExecutor
    workers: int
    number: int

    def go(self, owner: str | None, cursor: str) -> Iterator[Copied]:
        away = 0
        while True:
            page = self.source.list_by_user(owner, limit=PAGE_MAX, cursor=cursor or None)
            names = [entry.session_id for entry in page.entries]
            for first in range(0, len(names), self.workers):
                for one, was_away in self.pool.map(
                    partial(self._one, cursor=cursor), names[first : first + self.workers]
                ):
                    away = away + 1 if was_away else 0
                    yield one
                    if away >= GIVE_UP:
                        raise Transient(f"A store does not answer: {one.message}")
            if page.next_cursor is None:
                return
            cursor = page.next_cursor

    def _one(self, session_id: str, cursor: str) -> tuple[Copied, bool]:
        """What became of it, and whether a store gave no answer."""
        try:
            outcome, message = _copied(self.source, self.target, session_id)
        except MemexError as error:
            failed = Copied(session_id, Outcome.FAILED, cursor, self.number, error.message)
            return failed, isinstance(error, Transient)
        return Copied(session_id, outcome, cursor, self.number, message), False


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
