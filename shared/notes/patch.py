"""Changing a note: the fields, the event that says who changed what, and the research claim, in one commit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from shared.clock import Clock
from shared.contracts.events import EventType
from shared.contracts.limits import TAGS_PER_NOTE
from shared.contracts.notes import Note, NotePatch, asks_for_research
from shared.errors import InputError, NotFound
from shared.notes.create import check_body
from shared.store.effects import EACH_TIME, Effect, Once
from shared.store.note_reading import NoteReading
from shared.store.notes import body_fields
from shared.store.streams import Append, EventDraft
from shared.store.values import plain
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Snapshot, Write


@dataclass(frozen=True)
class Author:
    """Who changes a note; `via` what did it on their word, such as chat_sessions/s1."""

    name: str
    via: str = ""

    @property
    def data(self) -> dict[str, str]:
        return {"by": self.name, **({"via": self.via} if self.via else {})}


def patch(store: WorkspaceStore, note_id: str, request: NotePatch, *, clock: Clock, by: str) -> Note:
    """Change what `request` gives, and answer the whole note. What changes nothing writes nothing.

    What another client left out of the note is filled in too: the event that should have led to it may have been lost.

    Appends `note_changed` {by, changed: {title, summary, tags: {from, to}, body: {from_bytes, to_bytes}}}.
    Raises NotFound, or InputError when the body has too many bytes or the note too many tags.
    """
    _apply(store, note_id, request, clock, Author(by), EACH_TIME)
    return store.notes.get(note_id)


def patch_once(
    store: WorkspaceStore, note_id: str, request: NotePatch, effect: Effect, *, clock: Clock, by: Author
) -> dict[str, Any]:
    """The same, once for the effect: answers {note_id, changed: [field]}, the same each time.

    Raises Stale too, when the effect was meant for another state of the note.
    """
    if not effect.happened:
        _apply(store, note_id, request, clock, by, effect)
    return effect.settle({"note_id": note_id, "changed": []})


def _apply(store: WorkspaceStore, note_id: str, request: NotePatch, clock: Clock, by: Author, effect: Once) -> None:
    if request.body is not None:
        check_body(request.body)

    def decide(stored: NoteReading | None, current: Snapshot) -> Append | None:
        if effect.happened:
            return None
        if stored is None:
            raise NotFound(f"There is no note {note_id}.")
        effect.check(current)
        changed = _change(store, stored.note, request, current, clock, by)
        if changed is None:
            return Append(stored.repairs) if stored.repairs else None
        marker = effect.writes({"note_id": note_id, "changed": sorted(changed.events[0].data["changed"])})
        return replace(changed, update={**stored.repairs, **changed.update}, also=(*changed.also, *marker))

    store.notes.append(note_id, decide, point="note.patch")


def _change(
    store: WorkspaceStore, note: Note, request: NotePatch, current: Snapshot, clock: Clock, by: Author
) -> Append | None:
    fields: dict[str, Any] = {}
    changed: dict[str, Any] = {}
    also: tuple[Write, ...] = ()
    for name, old, new in (("title", note.title, request.title), ("summary", note.summary, request.summary)):
        if new is not None and new != old:
            fields[name] = new
            changed[name] = {"from": old, "to": new}
    if (tags := request.tags_of(note.tags)) != note.tags:
        _check_count(tags)
        fields["tags"] = tags
        changed["tags"] = {"from": note.tags, "to": tags}
        also += _untagged(store, note, tags, current)
    if request.body is not None and not _same_body(store, note, request.body):
        body, parts = body_fields(note.id, request.body, old_parts=note.parts)
        fields |= body
        changed["body"] = {"from_bytes": note.body_bytes, "to_bytes": body["body_bytes"]}
        also += parts
    if not changed:
        return None
    event = EventDraft(EventType.NOTE_CHANGED, {**by.data, "changed": changed})
    return Append(fields | {"updated_at": clock.now()}, (event,), also)


def _check_count(tags: tuple[str, ...]) -> None:
    if len(tags) > TAGS_PER_NOTE:
        raise InputError(f"add_tags: a note has {TAGS_PER_NOTE} tags at most", field="add_tags")


def _same_body(store: WorkspaceStore, note: Note, body: str) -> bool:
    if len(body.encode()) != note.body_bytes:
        return False
    return body == (store.notes.get(note.id).body if note.parts else note.body)


def _untagged(store: WorkspaceStore, note: Note, tags: tuple[str, ...], current: Snapshot) -> tuple[Write, ...]:
    """Taking off what asks for research lets a later tagging start a new run, even if no trigger ever sees this moment.

    The moment written lies after the last write with the tag and not after this commit, whose own is not known yet.
    """
    if not asks_for_research(note.tags) or asks_for_research(tags) or current.update_time is None:
        return ()
    held = store.claims.read(note.id)
    if held.update_time is None:
        return ()
    untagged_at = plain(current.update_time) + timedelta(microseconds=1)
    return (held.write(held.claim.model_copy(update={"untagged_at": untagged_at})),)
