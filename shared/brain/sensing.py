"""The senses of the brain: notes that were written, chat turns and extractions that have ended become jobs.

Each delivery may come any number of times, late and in any order: the id of a job derives from what it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from shared.brain.agent import NewJob
from shared.brain.ports import Ports
from shared.contracts.events import EventType
from shared.contracts.notes import NoteKind
from shared.contracts.operations import EXTRACT_DOCUMENT
from shared.ids import derived
from shared.trace.received import TraceEvent
from shared.trigger import Change

EXTRACTOR, COMMITTER, CHUNKER = "cognitive_extractor", "committer", "source_chunker"
SETTLED = timedelta(seconds=10)
"""So long a note is left alone after it was written: while somebody types, many states of it are stored."""
_TOLD = ("kind", "title", "body", "parts", "body_bytes")
"""What of a note is remembered; where none of it changed, nothing is to be done. Parts of a long one are not in it."""

Enqueue = Callable[[str, NewJob, str], object]


class Sensing:
    """`enqueue` is called with the workspace, the job and its id, for workspaces that have the brain."""

    def __init__(self, ports: Ports, allowed: Callable[[str], bool], enqueue: Enqueue) -> None:
        self._ports, self._allowed, self._enqueue = ports, allowed, enqueue

    def note_written(self, change: Change) -> None:
        """A note was created, changed or deleted. Raises Transient when it is to be delivered again."""
        if change.new is None:
            self._note_gone(change)
        elif _kind(change.new) == NoteKind.CAPTURE and (
            change.new.get("parts") or _told(change.new) != _told(change.old or {})
        ):
            revision = change.update_time.isoformat() if change.update_time is not None else change.event_id
            source = {"kind": "note", "id": change.id, "session_id": None}
            self._extract(change.workspace, source, revision, SETTLED)

    def event(self, event: TraceEvent) -> None:
        """A trace event: the end of a turn, or of the extraction of a document. Raises as `note_written`."""
        collection, _, owner = event.envelope.stream.partition("/")
        kind, data = event.envelope.type, event.envelope.data
        if (collection, kind) == ("chat_sessions", EventType.TURN_ENDED) and data.get("turn_id"):
            source = {"kind": "turn", "id": str(data["turn_id"]), "session_id": owner}
            self._extract(event.workspace, source, "", timedelta(0))
        elif (collection, kind) == ("operations", EventType.COMPLETED) and data.get("document_id"):
            self._chunk(event.workspace, owner, str(data["document_id"]))

    def session_gone(self, workspace: str, session_id: str) -> None:
        """A session is being deleted: what rests on its turns alone is forgotten. Raises Transient."""
        forget = {"forget": {"kind": "session", "id": session_id}}
        self._wanted(workspace, NewJob(COMMITTER, forget, run_after=self._ports.now() + SETTLED), workspace, session_id)

    def _extract(self, workspace: str, source: Mapping[str, Any], revision: str, after: timedelta) -> None:
        given = {"source": source, "revision": revision}
        causes = (workspace, str(source["session_id"]), source["kind"], source["id"], revision)
        self._wanted(workspace, NewJob(EXTRACTOR, given, run_after=self._ports.now() + after), *causes)

    def _chunk(self, workspace: str, operation_id: str, document_id: str) -> None:
        operation = self._ports.store(workspace).operations.find(operation_id)
        if operation is not None and operation.kind == EXTRACT_DOCUMENT:
            self._wanted(workspace, NewJob(CHUNKER, {"document_id": document_id}), workspace, operation_id)

    def _note_gone(self, change: Change) -> None:
        """A deletion that is told late must not have forgotten what was restored meanwhile."""
        if _kind(change.old or {}) != NoteKind.CAPTURE or not self._allowed(change.workspace):
            return
        if self._ports.store(change.workspace).notes.find(change.id) is None:
            forget = {"forget": {"kind": "note", "id": change.id}}
            self._wanted(change.workspace, NewJob(COMMITTER, forget), change.workspace, change.id, change.event_id)

    def _wanted(self, workspace: str, new: NewJob, *causes: str) -> None:
        """Where there is no such agent, or the brain is off, nothing is remembered."""
        if new.kind in self._ports.agents() and self._allowed(workspace):
            self._enqueue(workspace, new, derived("job", new.kind, *causes))


def _kind(fields: Mapping[str, Any]) -> str:
    return str(fields.get("kind", NoteKind.CAPTURE.value))


def _told(fields: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(fields.get(name) for name in _TOLD)
