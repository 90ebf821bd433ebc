"""Enrichment: for each state of a note its index; for each content, once, a summary, suggested tags, an embedding.

Whoever finds content that nobody has described claims it in the same commit that writes the index, so that a model is
asked once however often the event comes. Nothing here writes a note: so nothing here fires a note trigger.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.clock import Clock
from shared.contracts.note_index import NoteIndex
from shared.contracts.notes import NoteKind
from shared.contracts.operations import Usage
from shared.contracts.usage import UsageKind
from shared.enrich.describing import embedded, known_tags, suggested
from shared.enrich.indexing import State, indexed, state_of
from shared.enrich.suggesting import Suggestion, by_rule
from shared.errors import MemexError, SpendingPaused, Transient
from shared.ids import derived
from shared.llm.port import Models
from shared.store.system import SystemStore
from shared.store.usage import counting
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Write
from shared.telemetry.context import working
from shared.trigger import Change
from shared.usage.metering import sums
from shared.usage.months import month_of

log = logging.getLogger(__name__)

CLAIM = timedelta(seconds=150)
"""Longer than both models may take, or a second caller would pay for the same description."""
SWEPT, SWEPT_IDLE = 300, 60
"""A sweep looks at so many notes; at fewer where the first ones all have their index."""
_YOUNG = timedelta(minutes=1)
_SWEEP_SECONDS = 50.0


@dataclass(frozen=True)
class _Placed:
    """The index as written for a state, and whether this caller is to describe the content."""

    index: NoteIndex
    mine: bool


class Enriching:
    def __init__(self, store: Callable[[str], WorkspaceStore], models: Callable[[], Models], clock: Clock) -> None:
        self._store, self._models, self._clock = store, models, clock

    def note_written(self, change: Change) -> None:
        """A note was created, changed or deleted; delivered at least once and in any order. Raises Transient."""
        self.note(change.workspace, change.id)

    def note(self, workspace: str, note_id: str) -> None:
        """Bring the index of a note up to its state of now; take it away where the note is gone. Raises Transient."""
        store = self._store(workspace)
        state = state_of(store, note_id)
        if state is None:
            store.note_index.remove(note_id)
            return
        placed = self._place(store, state)
        if placed.mine:
            self._describe(store, state, placed.index)
        if state_of(store, note_id) is None:
            store.note_index.remove(note_id)  # it was deleted while this was written

    def sweep(self, system: SystemStore) -> int:
        """Index notes that have none, or one of an older state: how many. Bounded; goes on the next time."""
        begun, mended = self._clock.now(), 0
        for looked_at, found in enumerate(system.notes_in_turn(SWEPT), 1):
            late = (self._clock.now() - begun).total_seconds() > _SWEEP_SECONDS
            if late or (looked_at > SWEPT_IDLE and not mended):
                break
            mended += self._mended(found.workspace, found.id, found.updated_at, begun)
        return mended

    def _mended(self, workspace: str, note_id: str, updated_at: datetime, now: datetime) -> bool:
        if now - updated_at < _YOUNG:
            return False  # its event is under way
        index = self._store(workspace).note_index.find(note_id)
        if index is not None and index.note_updated_at >= updated_at and not _undescribed(index, now):
            return False
        try:
            with working(workspace=workspace):
                self.note(workspace, note_id)
        except SpendingPaused:
            return False  # it is indexed by its words, and described once spending goes on
        except MemexError as error:
            log.warning("note %s/%r could not be indexed: %s", workspace, note_id, error.message)
            return False
        return True

    def _place(self, store: WorkspaceStore, state: State) -> _Placed:
        """Write the index of the state unless a newer one is there. Raises Transient while another describes it."""
        models, content = self._models(), state.content_hash
        asks = models.embed is not None or (models.enrich is not None and state.note.kind is NoteKind.CAPTURE)
        placed: list[_Placed] = []

        def decide(before: NoteIndex | None) -> NoteIndex | None:
            placed.clear()
            now = self._clock.now()
            if before is not None and before.note_updated_at > state.updated_at:
                placed.append(_Placed(before, mine=False))
                return None
            described = before is not None and before.content_hash == content
            held = before is not None and before.claimed_hash == content and (before.claim_expires_at or now) > now
            after = indexed(state, before)
            if not described and not held:
                # By rule at once: a model may take its time, or have none.
                after = _with(after, by_rule(state.note, known_tags(store, after)), content)
                if asks:
                    claim = {"content_hash": "", "claimed_hash": content, "claim_expires_at": now + CLAIM}
                    after = after.model_copy(update=claim)
            placed.append(_Placed(after, mine=asks and not described and not held))
            return None if after == before else after

        changed = store.note_index.change(state.note.id, decide, point="index.place")
        found = placed[-1]
        if not found.mine and changed.changed is False and found.index.claimed_hash == content:
            raise Transient("Another caller is just describing this note.", retry_after_seconds=10.0)
        return found

    def _describe(self, store: WorkspaceStore, state: State, index: NoteIndex) -> None:
        """Ask the models, and store what they say if the content is still the claimed one."""
        content, known = state.content_hash, known_tags(store, index)
        try:
            embedder = self._models().embed
            embedding = embedded(embedder, state.note) if embedder is not None else None
            # The dear one last: what it said would be lost with whatever fails after it, and paid for once more.
            suggestion = suggested(self._models().enrich, state.note, known)
        except Transient:
            self._give_back(store, state)
            raise

        def decide(before: NoteIndex | None) -> NoteIndex | None:
            if before is None or before.claimed_hash != content:
                return None
            if embedder is not None and embedding is not None:
                before = before.model_copy(update={"embedding_model": embedder.name})
            return _with(before, suggestion, content)

        also = self._counted(store, state, suggestion)
        store.note_index.change(state.note.id, decide, embedding=embedding, also=also, point="index.describe")

    def _counted(self, store: WorkspaceStore, state: State, suggestion: Suggestion) -> tuple[Write, ...]:
        """The addition to the month's usage: the commit that has it is made once, by the holder of the claim."""
        if suggestion.usage == Usage():
            return ()
        key = derived("usage", store.workspace, state.note.id, state.content_hash)
        return (counting(key, month_of(self._clock.now()), UsageKind.ENRICH, sums(suggestion.usage)),)

    def _give_back(self, store: WorkspaceStore, state: State) -> None:
        """So that the event, when it is delivered again, need not wait for the claim to run out."""

        def decide(before: NoteIndex | None) -> NoteIndex | None:
            if before is None or before.claimed_hash != state.content_hash:
                return None
            return before.model_copy(update={"claimed_hash": "", "claim_expires_at": None})

        store.note_index.change(state.note.id, decide, point="index.give_back")


def _undescribed(index: NoteIndex, now: datetime) -> bool:
    """Whether someone has begun to describe the content, and nobody has come to an end."""
    claimed = index.claim_expires_at is not None and index.claim_expires_at > now
    return index.content_hash == "" and not claimed


def _with(index: NoteIndex, suggestion: Suggestion, content: str) -> NoteIndex:
    return index.model_copy(
        update={
            "summary": suggestion.summary,
            "summary_model": suggestion.model,
            "suggested_tags": suggestion.tags,
            "content_hash": content,
            "claimed_hash": "",
            "claim_expires_at": None,
        }
    )
