"""Forgetting: what rests on a note or a turn alone goes with it, whatever else has sources too loses that one.

A record goes with all that was made of it: what it is found by, its place in the graph, the words of its items on the
blackboard. What it had ended holds again. All of it is committed on the committer's stream, record by record, so it is
safe to repeat when it broke off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.brain.critics import COMMITTED
from shared.brain.outcomes import STREAM_FIELDS
from shared.brain.reviving import released
from shared.brain.sentences import located
from shared.brain.sources import Reading, Source, read
from shared.contracts.events import EventType
from shared.contracts.memory import Record, SourceRef
from shared.memory.forgetting import derived_writes
from shared.memory.indexing import rewriting
from shared.store import contradictions, records
from shared.store.blackboard import without_words
from shared.store.streams import Append, EventDraft
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Snapshot, Write

_PAGE = 50
_SAID = 200
_RESTING = 2_000
"""Records of one changed note that are looked through: it has a thousand at most."""
_POINT = "memory.forget"

Keep = Callable[[SourceRef], SourceRef | None]
"""What becomes of a source of a record: the same, another place of the same, or None where it is lost."""


@dataclass
class Forgetting:
    """`gone` and `kept` are the records that were touched."""

    store: WorkspaceStore
    now: datetime
    gone: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    def source(self, kind: str, source_id: str) -> None:
        """Forget a note, a turn, a document, or a session with all its turns. Raises Transient.

        A note that is there again, out of the trash while this waited, loses what it says no more.
        """
        if kind == "note" and self.store.notes.find(source_id) is not None:
            self.read_anew(Source(kind="note", id=source_id))
            return
        key = f"{kind}:{source_id}"
        if kind == "session":
            self._session(key, source_id)
            return
        self._records(key, lambda ref: None if _is(ref, kind, source_id) else ref)
        while items := self.store.blackboard.of_source(key, _PAGE):
            self._without_words(key, [one.id for one in items])

    def record(self, record_id: str) -> None:
        """Forget one record for good, whatever it rests on. Raises Transient."""
        self._change(record_id, f"record:{record_id}", lambda _: None)

    def read_anew(self, source: Source) -> None:
        """A source has changed: what it no longer says loses it, what it says elsewhere gets its place."""
        reading = read(self.store, source)
        if reading is None:
            self.source(source.kind, source.id)
            return
        for one in self.store.records.of_source(source.key, _RESTING):
            self._change(one.id, source.key, lambda ref: _placed(ref, reading))

    def _records(self, key: str, keep: Keep) -> None:
        """All records with that source, page by page: those that lost it are not found again."""
        seen: set[str] = set()
        while fresh := [one.id for one in self.store.records.of_source(key, _PAGE) if one.id not in seen]:
            seen.update(fresh)
            for record_id in fresh:
                self._change(record_id, key, keep)

    def _session(self, key: str, session_id: str) -> None:
        """Its records are known by its items alone: these lose their words page by page, once their records did."""
        while items := self.store.blackboard.of_source(key, _PAGE):
            for record_id in dict.fromkeys(one.parent_record_id for one in items if one.parent_record_id is not None):
                self._change(record_id, key, lambda ref: None if _is(ref, "session", session_id) else ref)
            self._without_words(key, [one.id for one in items])

    def _change(self, record_id: str, key: str, keep: Keep) -> None:
        """In one commit, decided on the record as it then is."""

        def decide(_current: Snapshot) -> Append | None:
            record = self.store.records.find(record_id)
            if record is None:
                return None
            left = tuple(ref for one in record.sources if (ref := keep(one)) is not None)
            if left == record.sources:
                return None
            lost = len(left) < len(record.sources)
            events = (_event(record_id, key, gone=not left),) if lost else ()
            writes = self._kept(record, left) if left else self._removed(record)
            return Append(STREAM_FIELDS, events, tuple(writes))

        appended = self.store.streams.append(COMMITTED, decide, point=_POINT, create=True)
        for event in appended.events if appended.changed else ():
            (self.gone if event.data["gone"] else self.kept).append(record_id)

    def _kept(self, record: Record, left: tuple[SourceRef, ...]) -> list[Write]:
        after = record.model_copy(update={"sources": left, "updated_at": self.now})
        return [rewriting(after)]

    def _removed(self, record: Record) -> list[Write]:
        items = self.store.blackboard.several((record.source_blackboard_id, *record.merged_blackboard_ids))
        said = self.store.blackboard.about(list(items), _SAID)
        return [
            records.removing(record.id),
            *derived_writes(self.store, record.id, self.now),
            *released(self.store, record, self.now),
            *(contradictions.removing(one.id) for one in self.store.contradictions.of_record(record.id)),
            *without_words((*items.values(), *said), (), self.now),
        ]

    def _without_words(self, key: str, item_ids: Sequence[str]) -> None:
        """In one commit, on the items as they then are."""

        def decide(_current: Snapshot) -> Append:
            items = self.store.blackboard.several(item_ids)
            return Append(STREAM_FIELDS, (), tuple(without_words(tuple(items.values()), (key,), self.now)))

        self.store.streams.append(COMMITTED, decide, point=_POINT, create=True)


def _is(ref: SourceRef, kind: str, source_id: str) -> bool:
    if kind == "session":
        return ref.session_id == source_id
    return ref.kind.value == kind and ref.id == source_id


def _placed(ref: SourceRef, reading: Reading) -> SourceRef | None:
    """The reference at the place where its words stand now; None where they do not stand there any more."""
    if not _is(ref, reading.source.kind, reading.source.id):
        return ref
    found = located(reading.text, ref.quote)
    if found is not None:
        return ref.model_copy(update={"start": found.start, "end": found.end})
    return ref if located(reading.title, ref.quote) is not None else None


def _event(record_id: str, key: str, *, gone: bool) -> EventDraft:
    return EventDraft(EventType.MEMORY_FORGOTTEN, {"record_id": record_id, "source": key, "gone": gone})
