"""workspaces/{workspace}/chat_sessions: the sessions with their event streams, and their turns, answers and drafts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from shared.contracts.chat import ChatSession, Draft, ModelAnswer, Turn
from shared.contracts.events import Event
from shared.errors import NotFound
from shared.store import paths
from shared.store.database import Database, Query
from shared.store.documents import parsed, well_formed
from shared.store.errors import Contention
from shared.store.note_reading import END_OF_TIME
from shared.store.pages import cursor_of, parse_cursor
from shared.store.streams import Append, Streams
from shared.store.writes import Snapshot, Write, delete, update

ANSWERS = 500
"""More answers than any turn may have."""
_REMOVED_AT_ONCE = 200
_NEWEST_FIRST = (("updated_at", "DESCENDING"), ("__name__", "DESCENDING"))
_BY_NAME = (("__name__", "ASCENDING"),)


@dataclass(frozen=True)
class SessionChange:
    """A session after an append, the events that were added, and whether anything was written."""

    session: ChatSession
    events: tuple[Event, ...]
    changed: bool


DecideSession = Callable[[ChatSession | None, Snapshot], Append | None]


class Chats:
    def __init__(self, database: Database, streams: Streams) -> None:
        self._database, self._streams = database, streams

    def find(self, session_id: str) -> ChatSession | None:
        return session_of(self._database.get(paths.session(session_id)))

    def get(self, session_id: str) -> ChatSession:
        """Raises NotFound, Malformed."""
        session = self.find(session_id)
        if session is None:
            raise missing(session_id)
        return session

    def list(self, *, limit: int, cursor: str | None = None) -> tuple[tuple[ChatSession, ...], str | None]:
        """A page, the one used last first, and the cursor of the next. Raises InputError for a cursor that is none."""
        start = parse_cursor(cursor) if cursor is not None else None
        query = Query(limit + 1, (("updated_at", "<", END_OF_TIME),), _NEWEST_FIRST, start)
        found = self._database.query("chat_sessions", query)
        page = found[:limit]
        sessions = tuple(well_formed(ChatSession, page))
        if len(found) <= limit:
            return sessions, None
        return sessions, cursor_of({"created_at": (page[-1].fields or {})["updated_at"]}, page[-1].id)

    def append(self, session_id: str, decide: DecideSession, *, point: str, create: bool = False) -> SessionChange:
        """`Streams.append` on a session; `decide` gets it as a model, with the snapshot for its times."""
        path = paths.session(session_id)
        appended = self._streams.append(
            path, lambda current: decide(session_of(current), current), point=point, create=create
        )
        return SessionChange(parsed(ChatSession, appended.fields, path), appended.events, appended.changed)

    def find_turn(self, session_id: str, turn_id: str) -> Turn | None:
        return self._turn_of(self._database.get(paths.turn(session_id, turn_id)))

    def find_both(self, session_id: str, turn_id: str) -> tuple[ChatSession | None, Turn | None]:
        """A session and a turn of it, as of one moment."""
        session, turn = self._database.get_all([paths.session(session_id), paths.turn(session_id, turn_id)])
        return session_of(session), self._turn_of(turn)

    def turns(self, session_id: str, *, after: int, limit: int) -> tuple[Turn, ...]:
        """The newest turns with a number above `after`, the newest first."""
        query = Query(limit, (("n", ">", after),), (("n", "DESCENDING"),))
        found = self._database.query(f"{paths.session(session_id)}/turns", query)
        return tuple(turn for one in found if (turn := self._turn_of(one)) is not None)

    def change_turn(
        self, session_id: str, turn_id: str, decide: Callable[[Turn, Snapshot], Mapping[str, Any] | None], *, point: str
    ) -> Turn | None:
        """Set what `decide` answers in the turn's own document, None when it answers None or there is no turn.

        Raises Contention when another writer was faster.
        """
        found = self._database.get(paths.turn(session_id, turn_id))
        turn = self._turn_of(found)
        change = decide(turn, found) if turn is not None else None
        if turn is None or change is None:
            return None
        self._database.commit([update(found.path, change, found.update_time)], point)
        return parsed(Turn, {**(found.fields or {}), **change}, found.path)

    def answers(self, session_id: str, turn_id: str) -> tuple[ModelAnswer, ...]:
        """The stored answers of a turn, in order."""
        query = Query(ANSWERS, (), (("n", "ASCENDING"),))
        found = self._database.query(f"{paths.turn(session_id, turn_id)}/answers", query)
        return tuple(parsed(ModelAnswer, one.fields or {}, one.path) for one in found)

    def draft(self, session_id: str, turn_id: str) -> Draft | None:
        """The text being written; None once the turn has ended."""
        found = self._database.get(paths.draft(session_id, turn_id))
        return None if found.fields is None else parsed(Draft, found.fields, found.path)

    def save_draft(self, session_id: str, turn_id: str, draft: Draft) -> None:
        """Replace the draft of a turn that runs, unless it is another worker's or just changes. Raises Transient."""
        found = self._database.get(paths.draft(session_id, turn_id))
        if found.fields is None or parsed(Draft, found.fields, found.path).fence != draft.fence:
            return
        change = draft.model_dump(exclude={"effect"})
        try:
            self._database.commit([update(found.path, change, found.update_time)], "chat.draft")
        except (NotFound, Contention):
            return

    def while_running(self, session_id: str, turn_id: str, effect: str) -> Write:
        """A write that lets its commit through only while the turn runs: the draft exists exactly as long."""
        return update(paths.draft(session_id, turn_id), {"effect": effect})

    def remove(self, session_id: str) -> None:
        """Remove what lies below a session, and then itself; safe to repeat when it broke off."""
        session = paths.session(session_id)
        for turn in self._below(f"{session}/turns"):
            self._clear(f"{turn}/answers")
        for collection in ("turns", "drafts", "events"):
            self._clear(f"{session}/{collection}")
        self._database.commit([delete(session)], "chat.delete")

    def _clear(self, collection: str) -> None:
        while found := self._page(collection):
            self._database.commit([delete(one) for one in found], "chat.clear")
            if len(found) < _REMOVED_AT_ONCE:
                return

    def _below(self, collection: str) -> Iterator[str]:
        after: tuple[str, ...] | None = None
        while found := self._page(collection, after):
            yield from found
            if len(found) < _REMOVED_AT_ONCE:
                return
            after = (found[-1].rpartition("/")[2],)

    def _page(self, collection: str, after: tuple[str, ...] | None = None) -> tuple[str, ...]:
        query = Query(_REMOVED_AT_ONCE, (), _BY_NAME, after, fields=("v",))
        return tuple(one.path for one in self._database.query(collection, query))

    @staticmethod
    def _turn_of(found: Snapshot) -> Turn | None:
        return None if found.fields is None else parsed(Turn, found.fields, found.path)


def session_of(found: Snapshot) -> ChatSession | None:
    return None if found.fields is None else parsed(ChatSession, found.fields, found.path)


def missing(session_id: str) -> NotFound:
    return NotFound(f"There is no session {session_id}.")
