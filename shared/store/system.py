"""What mending needs to see across workspaces: names and states, never content."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from shared.clock import Clock
from shared.contracts.members import Member
from shared.contracts.notes import RESEARCH_TAGS
from shared.store.database import Database, Query
from shared.store.members import in_their_places
from shared.store.note_reading import END_OF_TIME
from shared.store.rounds import Rounds, Walk
from shared.store.writes import Snapshot

if TYPE_CHECKING:
    from google.cloud.firestore_v1 import Client

_BY_PATH = (("__name__", "ASCENDING"),)


@dataclass(frozen=True)
class Found:
    """A document that may need mending; look at it through the store of its workspace."""

    workspace: str
    id: str


@dataclass(frozen=True)
class FoundTurn:
    """A turn of a chat session that may need mending."""

    workspace: str
    session_id: str
    id: str


@dataclass(frozen=True)
class FoundAt(Found):
    """A document and when it was last written."""

    updated_at: datetime


@dataclass(frozen=True)
class Membership:
    """A workspace that a person may come into."""

    workspace: str
    member: Member


class SystemStore:
    """Collection-group queries for reconcile; each looks at `limit` documents at most and goes on the next time."""

    def __init__(self, client: Client, clock: Clock, randomness: random.Random, rest: timedelta = timedelta(0)) -> None:
        """`rest`: for so long the walks over all notes are not begun again."""
        self._database = Database(client, "", clock, randomness)
        self._rounds = Rounds(self._database, clock, rest)

    def workspaces(self, limit: int = 1000) -> list[str]:
        """The workspaces that have anything."""
        return self._database.children("workspaces", limit)

    def memberships(self, email: str, limit: int = 100) -> list[Membership]:
        """The workspaces of a person, by name; `email` as contracts.members.email_of gives it."""
        found = self._database.query_group("members", Query(limit, (("email", "==", email),), (_BY_PATH[0],)))
        named = [(one, each) for each in found for one in _named(each)]
        return [Membership(one.workspace, member) for one, each in named for member in in_their_places([each])]

    def stale_operations(self, before: datetime, limit: int = 1000) -> Iterator[Found]:
        """Running operations that nobody has written since `before`, the longest untouched first."""
        filters = (("status", "==", "running"), ("updated_at", "<", before))
        query = Query(limit, filters, (("updated_at", "ASCENDING"), *_BY_PATH), fields=("updated_at",))
        return self._walk(Walk("stale-operations", "operations", query), limit)

    def waiting_operations(self, before: datetime, limit: int = 1000) -> Iterator[Found]:
        """Operations whose plan has waited untouched since before `before`."""
        filters = (("status", "==", "awaiting_approval"), ("updated_at", "<", before))
        query = Query(limit, filters, (("updated_at", "ASCENDING"), *_BY_PATH), fields=("updated_at",))
        return self._walk(Walk("waiting-operations", "operations", query), limit)

    def half_cancelled_operations(self, limit: int = 1000) -> Iterator[Found]:
        """Operations that were cancelled here and whose outside work is not known to have stopped."""
        query = Query(limit, (("cancel_pending", "==", True),), _BY_PATH, fields=("cancel_pending",))
        return self._walk(Walk("half-cancelled-operations", "operations", query), limit)

    def operations_of_interaction(self, interaction_id: str, limit: int = 100) -> list[Found]:
        """The operations whose current attempt is that interaction: one, and copies of it by imports."""
        query = Query(limit, (("interaction_id", "==", interaction_id),), fields=("interaction_id",))
        return [one for each in self._database.query_group("operations", query) for one in _named(each)]

    def tagged_notes(self, limit: int = 1000) -> Iterator[Found]:
        """Capture notes that carry a tag that asks for research, which they keep when they have been researched."""
        query = Query(limit, (_TAGGED,), _BY_PATH, fields=("kind",))
        return self._walk(Walk("tagged-notes", "notes", query, rests=True), limit, _is_capture)

    def newest_tagged_notes(self, since: datetime, until: datetime, limit: int = 200) -> Iterator[Found]:
        """Those that were written last, the newest first, so that they need not wait for their turn in the round."""
        within = (("updated_at", ">=", since), ("updated_at", "<=", until))
        query = Query(limit, (_TAGGED, *within), (("updated_at", "DESCENDING"),), fields=("kind",))
        return (
            one for found in self._database.query_group("notes", query) if _is_capture(found) for one in _named(found)
        )

    def unlisted_notes(self, limit: int = 500) -> Iterator[Found]:
        """Notes that no list shows, since they lack the moment of their making: nothing can ask for those alone."""
        query = Query(limit, (), _BY_PATH, fields=("created_at",))
        return self._walk(Walk("unlisted-notes", "notes", query, rests=True), limit, _is_unlisted)

    def stale_turns(self, before: datetime, limit: int = 1000) -> Iterator[FoundTurn]:
        """Chat turns that have not ended and began before that moment, the oldest first."""
        filters = (("status", "==", "running"), ("updated_at", "<", before))
        query = Query(limit, filters, (("updated_at", "ASCENDING"), *_BY_PATH), fields=("updated_at",))
        for found in self._rounds.documents(Walk("stale-turns", "turns", query), limit):
            yield from _turns(found)

    def half_deleted_sessions(self, limit: int = 100) -> Iterator[Found]:
        """Chat sessions whose deletion was begun."""
        query = Query(limit, (("deleting", "==", True),), _BY_PATH, fields=("deleting",))
        return self._walk(Walk("half-deleted-sessions", "chat_sessions", query), limit)

    def half_deleted_documents(self, limit: int = 100) -> Iterator[Found]:
        """Documents whose deletion was begun."""
        query = Query(limit, (("deleting", "==", True),), _BY_PATH, fields=("deleting",))
        return self._walk(Walk("half-deleted-documents", "documents", query), limit)

    def expired_uploads(self, before: datetime, limit: int = 100) -> Iterator[Found]:
        """Documents whose bytes were to come before that moment and were not reported, the oldest first."""
        filters = (("upload_expires_at", "<", before),)
        query = Query(limit, filters, (("upload_expires_at", "ASCENDING"), *_BY_PATH), fields=("id",))
        for found in self._database.query_group("documents", query):
            yield from _named(found)

    def stale_runs(self, before: datetime, limit: int = 1000) -> Iterator[Found]:
        """Agent runs that have not ended and that nobody has written since `before`, the longest untouched first."""
        filters = (("active", "==", True), ("updated_at", "<", before))
        query = Query(limit, filters, (("updated_at", "ASCENDING"), *_BY_PATH), fields=("updated_at",))
        return self._walk(Walk("stale-runs", "agent_runs", query), limit)

    def untold_runs(self, limit: int = 100) -> Iterator[Found]:
        """Agent runs that have ended and whose chat may not have been told."""
        query = Query(limit, (("tell_pending", "==", True),), _BY_PATH, fields=("tell_pending",))
        return self._walk(Walk("untold-runs", "agent_runs", query), limit)

    def lost_jobs(self, before: datetime, limit: int = 200) -> Iterator[Found]:
        """Jobs of brains whose worker should have been heard of by then, the longest silent first."""
        filters = (("status", "==", "running"), ("locked_until", "<=", before))
        query = Query(limit, filters, (("locked_until", "ASCENDING"), *_BY_PATH), fields=("locked_until",))
        for found in self._database.query_group("memory_jobs", query):
            yield from _named(found)

    def waiting_jobs(self, limit: int = 500) -> Iterator[Found]:
        """Jobs of brains that wait for their time or for a worker, in their turn."""
        query = Query(limit, (("status", "==", "pending"), ("waiting_on", "==", 0)), _BY_PATH, fields=("status",))
        return self._walk(Walk("waiting-jobs", "memory_jobs", query), limit)

    def old_trash(self, before: datetime, limit: int = 100) -> Iterator[Found]:
        """Notes that were deleted before that moment and are still in the trash, the longest there first."""
        query = Query(limit, (("created_at", "<", before),), (("created_at", "ASCENDING"), *_BY_PATH), fields=("id",))
        for found in self._database.query_group("trash", query):
            yield from _named(found)

    def notes_in_turn(self, limit: int = 300) -> Iterator[FoundAt]:
        """Every note in its turn, so that what is derived from notes can be looked after."""
        query = Query(limit, (), _BY_PATH, fields=("kind",))
        for found in self._rounds.documents(Walk("indexed-notes", "notes", query, rests=True), limit):
            for one in _named(found):
                yield FoundAt(one.workspace, one.id, found.update_time or found.read_time)

    def _walk(self, walk: Walk, limit: int, wanted: Callable[[Snapshot], bool] = lambda _: True) -> Iterator[Found]:
        for found in self._rounds.documents(walk, limit):
            if wanted(found):
                yield from _named(found)


_TAGGED = ("tags", "array_contains_any", list(RESEARCH_TAGS))


def _is_capture(found: Snapshot) -> bool:
    return bool((found.fields or {}).get("kind", "capture") == "capture")


def _is_unlisted(found: Snapshot) -> bool:
    created_at = (found.fields or {}).get("created_at")
    return not isinstance(created_at, datetime) or created_at >= END_OF_TIME


def _named(found: Snapshot) -> Iterator[Found]:
    """None for a document of that name elsewhere than in a workspace."""
    segments = found.path.split("/")
    if len(segments) == 4 and segments[0] == "workspaces":
        yield Found(segments[1], segments[3])


def _turns(found: Snapshot) -> Iterator[FoundTurn]:
    """None for a document of that name elsewhere than in a session."""
    segments = found.path.split("/")
    if len(segments) == 6 and segments[0] == "workspaces" and segments[2] == "chat_sessions":
        yield FoundTurn(segments[1], segments[3], segments[5])
