"""Routines: one note for each workspace, kind and period, whoever runs them and however often."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.clock import Clock
from shared.contracts.events import EventType
from shared.contracts.notes import Note, NoteKind
from shared.contracts.operations import Usage
from shared.contracts.routines import RoutineKind, RoutineRequest, RoutineRunAnswer, RoutinesAnswer
from shared.errors import MemexError
from shared.gateway.transport import Cut, ended_after
from shared.ids import derived
from shared.llm.port import Models
from shared.notes.create import check_body
from shared.routines.gathering import Material, gathered
from shared.routines.listing import listed, title_of
from shared.routines.periods import Period, current, last
from shared.routines.writing import Written, written
from shared.store.note_reading import NoteReading
from shared.store.notes import body_fields
from shared.store.streams import Append, EventDraft
from shared.store.system import SystemStore
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Snapshot
from shared.tools.registry import Registry
from shared.tools.services import Services
from shared.tools.tool import Job

log = logging.getLogger(__name__)

_BUDGET = timedelta(seconds=400)
"""No further workspace after this: what was begun can still end before the function must."""
WRITING_SECONDS = 120.0
"""For a model's text with all that it looks up; then the list has to do. With _BUDGET it stays below the function's
540 seconds."""
_FAILURES = 50
_WRITTEN_AT = "routine_written_at"
"""A field of the note's document: when a routine wrote it last."""


@dataclass(frozen=True)
class Ports:
    """What routines need; `registry` lets nothing be changed, only proposed."""

    store: Callable[[str], WorkspaceStore]
    system: Callable[[], SystemStore]
    services: Callable[[str], Services]
    models: Callable[[], Models]
    registry: Callable[[], Registry]
    clock: Clock


class Routines:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def run(self, workspace: str, kind: RoutineKind) -> RoutineRunAnswer:
        """Tell of the day or week so far; a note of the period that is there is brought up to date.

        Raises Transient.
        """
        return self._write(workspace, current(kind, self._ports.clock.now()))

    def scheduled(self, request: RoutineRequest) -> RoutinesAnswer:
        """Tell of the last whole day, and on Mondays of the last week, in every workspace or the one that is named."""
        begun = self._ports.clock.now()
        kinds = (request.kind,) if request.kind is not None else _due(begun)
        names = [request.workspace] if request.workspace is not None else self._ports.system().workspaces()
        notes = proposals = 0
        failures: list[str] = []
        out_of_time = False
        for workspace, period in ((name, last(kind, begun)) for name in names for kind in kinds):
            if self._ports.clock.now() - begun > _BUDGET:
                out_of_time = True
                break
            answer = self._guarded(workspace, period, failures)
            notes += answer is not None and answer.created
            proposals += len(answer.approvals) if answer is not None else 0
        return RoutinesAnswer(
            notes=notes,
            proposals=proposals,
            failed=len(failures),
            failures=tuple(failures[:_FAILURES]),
            out_of_time=out_of_time,
        )

    def _guarded(self, workspace: str, period: Period, failures: list[str]) -> RoutineRunAnswer | None:
        """One workspace must not keep the others from theirs."""
        try:
            return self._write(workspace, period)
        except MemexError as error:
            log.warning("%s of %s in %s: %s", period.kind.value, period.name, workspace, error.message)
            failures.append(f"{workspace}/{period.name}: {error.code}")
        except Exception:  # noqa: BLE001 - each workspace is an edge of its own: whatever it was, it is logged and counted
            log.exception("%s of %s in %s", period.kind.value, period.name, workspace)
            failures.append(f"{workspace}/{period.name}: internal")
        return None

    def _write(self, workspace: str, period: Period) -> RoutineRunAnswer:
        store, begun = self._ports.store(workspace), self._ports.clock.now()
        note_id = derived("note", workspace, period.kind.value, period.name)
        there = store.notes.look(note_id)
        if there is not None and not _own(there[0].note, there[1]):
            # Before anyone is asked: what a model wrote would not be stored.
            return _answer(period, note_id, created=False, message="It was changed by hand, and is left as it is.")
        material = gathered(store, period)
        if there is not None and material.newest <= there[0].note.updated_at:
            return _answer(period, note_id, created=False, message="It was written before, and nothing is new.")
        if material.empty:
            known = note_id if there is not None else None
            return _answer(period, known, created=False, message=f"There is nothing to tell of {period.name}.")
        text = self._told(workspace, material)
        note = _note(note_id, material, text, begun)
        created, stored = self._store(store, note, begun)
        message = "Written." if created else "Brought up to date." if stored else "Another run was faster."
        return _answer(period, note_id, created=created, message=message, told=text)

    def _told(self, workspace: str, material: Material) -> Written:
        """By the model; where there is none, or it fails, the list has to do."""
        model = self._ports.models().chat
        if model is None:
            return Written("", (), Usage())
        actor = f"routine/{material.period.kind.value}-{material.period.name}"
        store, services, clock = self._ports.store(workspace), self._ports.services(workspace), self._ports.clock

        def job_of(effect_key: str, cut: Cut) -> Job:
            return Job(store, services, clock, actor, effect_key, cut)

        cut = Cut()
        try:
            with ended_after(WRITING_SECONDS, cut):
                return written(model, self._ports.registry(), job_of, material, cut)
        except MemexError as error:
            log.warning("the %s is written without a model: %s", material.period.kind.value, error.message)
            return Written("", (), Usage())

    def _store(self, store: WorkspaceStore, note: Note, gathered_at: datetime) -> tuple[bool, bool]:
        """Create the note, or replace what is older than what was gathered: whether it is new, and was written.

        A note that someone has changed by hand is left as it is.
        """
        check_body(note.body)
        created: list[bool] = []

        def decide(stored: NoteReading | None, current: Snapshot) -> Append | None:
            created[:] = [stored is None]
            if stored is not None and (stored.note.updated_at >= gathered_at or not _own(stored.note, current)):
                return None
            old_parts = stored.note.parts if stored is not None else 0
            fields, parts = body_fields(note.id, note.body, old_parts=old_parts)
            kind = EventType.NOTE_CREATED if stored is None else EventType.NOTE_CHANGED
            event = EventDraft(kind, {"by": "memex", "via": f"routine/{note.kind.value}"})
            whole = note.model_dump(exclude={"seq"}) | fields
            kept = whole if stored is None else {**fields, "updated_at": note.updated_at}
            return Append(kept | {_WRITTEN_AT: note.updated_at}, (event,), parts)

        changed = store.notes.append(note.id, decide, point="routine.note", create=True).changed
        return bool(created and created[0] and changed), changed


def _own(note: Note, current: Snapshot) -> bool:
    """Whether the note is as a routine wrote it."""
    return (current.fields or {}).get(_WRITTEN_AT) == note.updated_at


def _due(now: datetime) -> tuple[RoutineKind, ...]:
    monday = now.weekday() == 0
    return (RoutineKind.DIGEST, RoutineKind.REVIEW) if monday else (RoutineKind.DIGEST,)


def _note(note_id: str, material: Material, told: Written, now: datetime) -> Note:
    body = "\n\n".join(part for part in (told.text, listed(material)) if part)
    return Note(
        id=note_id,
        kind=NoteKind(material.period.kind.value),
        title=title_of(material),
        body=body,
        body_bytes=len(body.encode()),
        tags=(material.period.kind.value,),
        created_at=now,
        updated_at=now,
    )


def _answer(
    period: Period, note_id: str | None, *, created: bool, message: str, told: Written | None = None
) -> RoutineRunAnswer:
    return RoutineRunAnswer(
        kind=period.kind,
        period=period.name,
        note_id=note_id,
        created=created,
        approvals=told.approvals if told is not None else (),
        message=message,
        usage=told.usage if told is not None else Usage(),
    )
