"""Routines: one note for each workspace, kind and period, whoever runs them and however often."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from shared.clock import Clock
from shared.contracts.operations import Usage
from shared.contracts.routines import RoutineKind, RoutineRequest, RoutineRunAnswer, RoutinesAnswer
from shared.contracts.usage import UsageKind
from shared.errors import Conflict, InputError, MemexError, Transient
from shared.gateway.transport import Cut, ended_after
from shared.ids import derived
from shared.llm.port import Models
from shared.routines.gathering import Material, gathered
from shared.routines.keeping import as_written, keep, note_id_of, note_of
from shared.routines.listing import title_of
from shared.routines.periods import Period, around, current, last
from shared.routines.writing import Written, written
from shared.store.effects import EACH_TIME, Effect, Once
from shared.store.system import SystemStore
from shared.store.usage import Entry
from shared.store.workspace import WorkspaceStore
from shared.telemetry.context import working
from shared.tools.registry import Registry
from shared.tools.services import Services
from shared.tools.tool import Job
from shared.usage.metering import sums
from shared.usage.months import month_of

log = logging.getLogger(__name__)

_BUDGET = timedelta(seconds=400)
"""No further workspace after this: what was begun can still end before the function must."""
WRITING_SECONDS = 120.0
"""For a model's text with all that it looks up; then the list has to do. With _BUDGET it stays below the function's
540 seconds."""
LEASE_SECONDS = WRITING_SECONDS + 60.0
_FAILURES = 50


@dataclass(frozen=True)
class Ports:
    """What routines need; `registry` lets nothing be changed, only proposed."""

    store: Callable[[str], WorkspaceStore]
    system: Callable[[], SystemStore]
    services: Callable[[str], Services]
    models: Callable[[], Models]
    registry: Callable[[], Registry]
    clock: Clock


@dataclass(frozen=True)
class OnWordOf:
    """A call of a tool that wants a note at once: its effect, and what ends it."""

    effect: Once
    cut: Cut | None = None
    spend: Callable[[Usage], None] | None = None
    """Told what it used, which belongs to the work that made the call."""


NOBODY = OnWordOf(EACH_TIME)


class Routines:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def run(self, workspace: str, kind: RoutineKind) -> RoutineRunAnswer:
        """Tell of the day or week so far; a note of the period that is there is brought up to date.

        Raises Transient.
        """
        period = current(kind, self._ports.clock.now())
        answer = self._leased(workspace, period, again=True)
        if answer is not None:
            return answer
        note_id = note_id_of(workspace, period)
        known = note_id if self._ports.store(workspace).notes.find(note_id) is not None else None
        return _answer(period, known, created=False, message="Another run is just writing it: look again soon.")

    def asked_for(
        self,
        workspace: str,
        kind: RoutineKind,
        day: date | None,
        effect: Effect,
        cut: Cut,
        spend: Callable[[Usage], None],
    ) -> Mapping[str, Any]:
        """The same for a tool, once for its effect, of the day or week around `day`: {note_id, title} or {message}.

        Raises InputError for a day to come, Conflict while another run is at it, Transient.
        """
        if effect.happened:
            return effect.settle({})
        now = self._ports.clock.now()
        period = around(kind, day) if day is not None else current(kind, now)
        if period.since > now:
            raise InputError(f"day: {period.name} has not come yet", field="day")
        answer = self._leased(workspace, period, again=True, on_word_of=OnWordOf(effect, cut, spend))
        if answer is None:
            raise Conflict(f"The {kind.value} of {period.name} is just being written by another run: look for it soon.")
        found = {"note_id": answer.note_id, "title": title_of(period)} if answer.note_id else {}
        return effect.settle({**found, "message": answer.message})

    def scheduled(self, request: RoutineRequest) -> RoutinesAnswer:
        """Tell of the last whole day, and on Mondays of the last week, in every workspace or the one that is named.

        Called again, it comes to those that an earlier call did not, or that failed then.
        """
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
            with working(workspace=workspace):
                return self._leased(workspace, period, again=False)
        except MemexError as error:
            log.warning("%s of %s in %s: %s", period.kind.value, period.name, workspace, error.message)
            failures.append(f"{workspace}/{period.name}: {error.code}")
        except Exception:  # noqa: BLE001 - each workspace is an edge of its own: whatever it was, it is logged and counted
            log.exception("%s of %s in %s", period.kind.value, period.name, workspace)
            failures.append(f"{workspace}/{period.name}: internal")
        return None

    def _leased(
        self, workspace: str, period: Period, *, again: bool, on_word_of: OnWordOf = NOBODY
    ) -> RoutineRunAnswer | None:
        """Write while no other run does; None when another one is at it, or it is done and not wanted `again`."""
        leases = self._ports.store(workspace).routine_leases
        held = leases.take(period.kind, period.name, LEASE_SECONDS, again=again)
        if held is None:
            return None
        done, model_away = False, held.without_model
        try:
            answer, model_away = self._write(workspace, period, held.without_model, on_word_of)
            done = not model_away and not again  # on demand the period is not over yet
        finally:
            leases.give_back(held, done=done, without_model=model_away)
        return answer

    def _write(self, workspace: str, period: Period, anew: bool, on_word_of: OnWordOf) -> tuple[RoutineRunAnswer, bool]:
        """What was written, and whether a model that was away is still to be asked; `anew` though nothing is new."""
        store, begun = self._ports.store(workspace), self._ports.clock.now()
        note_id = note_id_of(workspace, period)
        there = store.notes.look(note_id)
        if there is not None and not as_written(there[0].note, there[1]):
            # Before anyone is asked: what a model wrote would not be stored.
            message = "It was changed by hand, and is left as it is."
            return _answer(period, note_id, created=False, message=message), False
        material = gathered(store, period)
        nothing_new = there is not None and material.newest <= there[0].note.updated_at
        if nothing_new and not anew:
            return _answer(period, note_id, created=False, message="It was written before, and nothing is new."), False
        if material.empty:
            known = note_id if there is not None else None
            return _answer(period, known, created=False, message=f"There is nothing to tell of {period.name}."), False
        told = self._told(workspace, material, on_word_of.cut)
        (on_word_of.spend or self._counted(workspace, period, begun))(told.usage)
        if nothing_new and told.model_away:
            return _answer(period, note_id, created=False, message="The model is still away; its list is there."), True
        created, stored = keep(store, note_of(note_id, material, told.text, begun), begun, on_word_of.effect)
        message = "Written." if created else "Brought up to date." if stored else "Another run was faster."
        return _answer(period, note_id, created=created, message=message, told=told), told.model_away

    def _told(self, workspace: str, material: Material, cut: Cut | None) -> Written:
        """By the model; where there is none, or it fails, the list has to do."""
        model = self._ports.models().chat
        if model is None:
            return Written()
        actor = f"routine/{material.period.kind.value}-{material.period.name}"
        store, services, clock = self._ports.store(workspace), self._ports.services(workspace), self._ports.clock
        used: list[Usage] = []

        def job_of(effect_key: str, cut: Cut) -> Job:
            return Job(store, services, clock, actor, effect_key, cut, spend=used.append)

        try:
            with (cut or Cut()).inner() as own, ended_after(WRITING_SECONDS, own):
                told = written(model, self._ports.registry(), job_of, material, own, used.append)
        except MemexError as error:
            log.warning("the %s is written without a model: %s", material.period.kind.value, error.message)
            told = Written(model_away=isinstance(error, Transient))
        return replace(told, usage=sum(used, Usage()))

    def _counted(self, workspace: str, period: Period, begun: datetime) -> Callable[[Usage], None]:
        """Counts what a routine used that nobody's turn has asked for, in the month in which it was written."""

        def count(usage: Usage) -> None:
            if usage == Usage():
                return
            key = derived("usage", workspace, period.kind.value, period.name, begun.isoformat())
            entry = Entry(key=key, month=month_of(begun), kind=UsageKind.ROUTINE, sums=sums(usage))
            try:
                self._ports.store(workspace).usage.count(entry)
            except Transient as error:  # the note is worth more than its price
                log.error("what the %s of %s used is not counted: %s", period.kind.value, period.name, error.message)

        return count


def _due(now: datetime) -> tuple[RoutineKind, ...]:
    monday = now.weekday() == 0
    return (RoutineKind.DIGEST, RoutineKind.REVIEW) if monday else (RoutineKind.DIGEST,)


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
