"""A new operation for a tagging: the operation, its first event and the note's claim, in one commit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.contracts.events import EventType
from shared.contracts.operations import Operation, ResearchClaim
from shared.errors import Conflict, Transient
from shared.ids import derived
from shared.research.planning.choosing import choose
from shared.research.ports import Ports
from shared.store.claims import HeldClaim
from shared.store.effects import Effect
from shared.store.note_reading import NoteReading
from shared.store.operations import stored
from shared.store.streams import Append
from shared.store.writes import Snapshot, Write

_TRIES = 6


@dataclass(frozen=True)
class Tagging:
    """What asks for research: a note's write at `at`. `cause` is what the operation's id derives from besides it."""

    workspace: str
    note_id: str
    title: str
    """The note's name, which the operation keeps: see NoteReading.name for its length."""
    at: datetime
    cause: str = ""
    asked_by: str = "tag"
    inferred: bool = False
    """Only the tag was seen, not the write that added it: then `at` may be that of any later write."""
    plan: bool | None = None
    """Whether a plan is wanted first; None: as the workspace has it."""
    effect: Effect | None = None
    """What asks is a call that has its effect once: then `cause` alone names the operation."""

    @property
    def operation_id(self) -> str:
        if self.effect is not None:
            return derived("op", self.workspace, self.note_id, self.cause)
        causes = [self.workspace, self.note_id, rfc3339(self.at), *([self.cause] if self.cause else [])]
        return derived("op", *causes)

    def writes(self, operation_id: str) -> tuple[Write, ...]:
        """What else is committed when that operation answers this tagging."""
        return self.effect.writes({"operation_id": operation_id, "note_id": self.note_id}) if self.effect else ()


@dataclass(frozen=True)
class Opened:
    """The operation that answers a tagging, and whether it is new: then its launch lease is the caller's."""

    operation: Operation
    new: bool


class _Overtaken(Conflict):
    """Whoever was faster has left nothing to create."""


def rfc3339(moment: datetime) -> str:
    """With nanoseconds, as update times are written; Firestore keeps microseconds."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%f") + "000Z"


@dataclass(frozen=True)
class NoteNow:
    """A note as it is, and when it was last written."""

    reading: NoteReading
    update_time: datetime


def note_now(ports: Ports, workspace: str, note_id: str) -> NoteNow:
    """Raises NotFound."""
    seen: list[NoteNow] = []

    def look(reading: NoteReading | None, found: Snapshot) -> None:
        if reading is not None:
            seen.append(NoteNow(reading, found.update_time or found.read_time))

    ports.store(workspace).notes.append(note_id, look, point="note.look")
    return seen[-1]


def handled(claim: ResearchClaim, at: datetime) -> bool:
    """Whether a tagging of that moment, or a later one, has been dealt with."""
    return claim.tagged_at is not None and at <= claim.tagged_at


def tag_handled(claim: ResearchClaim) -> bool:
    """Whether the tag as it stands has been dealt with: some tagging was, and since then nobody saw it taken off."""
    if claim.tagged_at is None:
        return False
    return claim.untagged_at is None or claim.untagged_at <= claim.tagged_at


def _dealt_with(claim: ResearchClaim, tagging: Tagging) -> bool:
    """What is asked for by hand is asked for anew each time."""
    if tagging.inferred and tag_handled(claim):
        return True
    if tagging.effect is not None and tagging.effect.happened:
        return True
    return handled(claim, tagging.at) if tagging.asked_by == "tag" else claim.operation_id == tagging.operation_id


def _tagged_at(claim: ResearchClaim, tagging: Tagging) -> datetime:
    return max(claim.tagged_at, tagging.at) if claim.tagged_at else tagging.at


def open_operation(ports: Ports, tagging: Tagging) -> Opened | None:
    """The operation for a tagging; None when it was dealt with before and nothing is to be done.

    While an operation of the note runs, a further tagging is only told to it. Raises Transient.
    """
    for _ in range(_TRIES):
        held = ports.store(tagging.workspace).claims.read(tagging.note_id)
        if _dealt_with(held.claim, tagging):
            return None
        running = _running(ports, tagging, held)
        opened = _tell(ports, tagging, running) if running else _create(ports, tagging)
        if opened is not None:
            return opened
    raise Transient("The note's research changes faster than it can be read: try again.")


def _running(ports: Ports, tagging: Tagging, held: HeldClaim) -> Operation | None:
    if held.claim.operation_id is None:
        return None
    operation = ports.store(tagging.workspace).operations.find(held.claim.operation_id)
    return operation if operation is not None and not operation.status.terminal else None


def _tell(ports: Ports, tagging: Tagging, running: Operation) -> Opened | None:
    """Move the claim forward with an event in the running operation; None when either has changed meanwhile."""
    store = ports.store(tagging.workspace)

    def decide(operation: Operation | None, _found: Snapshot) -> Append | None:
        held = store.claims.read(tagging.note_id)
        ours = held.claim.operation_id == running.id and not _dealt_with(held.claim, tagging)
        if operation is None or operation.status.terminal or not ours:
            return None
        moved = held.claim.model_copy(update={"tagged_at": _tagged_at(held.claim, tagging)})
        event = ports.event(EventType.TAGGED_AGAIN, note_id=tagging.note_id, tagged_at=tagging.at)
        return Append({"updated_at": ports.now()}, (event,), (held.write(moved), *tagging.writes(running.id)))

    change = store.operations.append(running.id, decide, point="operation.tagged_again")
    return Opened(change.operation, new=False) if change.changed else None


def _create(ports: Ports, tagging: Tagging) -> Opened | None:
    """Write operation and claim; None when another was faster with either."""
    store, choice = ports.store(tagging.workspace), choose(ports, tagging.workspace, tagging.plan)

    def decide(operation: Operation | None, found: Snapshot) -> Append | None:
        held = store.claims.read(tagging.note_id)
        if operation is not None or _dealt_with(held.claim, tagging) or _running(ports, tagging, held):
            raise _Overtaken("Another caller has dealt with the note meanwhile.")
        tagged_at = _tagged_at(held.claim, tagging)
        claim = held.claim.model_copy(update={"operation_id": tagging.operation_id, "tagged_at": tagged_at})
        event = ports.event(EventType.CREATED, note_id=tagging.note_id, title=tagging.title, asked_by=tagging.asked_by)
        also = (held.write(claim), *tagging.writes(tagging.operation_id))
        new = _new(ports, tagging, found.read_time, plan_first=choice.plan_first)
        return Append(stored(new), (event, *choice.events), also)

    try:
        change = store.operations.append(tagging.operation_id, decide, point="operation.create", create=True)
    except _Overtaken:
        return None
    return Opened(change.operation, new=True)


def _new(ports: Ports, tagging: Tagging, server_now: datetime, *, plan_first: bool) -> Operation:
    now = ports.now()
    return Operation(
        id=tagging.operation_id,
        created_at=now,
        updated_at=now,
        title=tagging.title,
        source_note_id=tagging.note_id,
        asked_by=tagging.asked_by,
        plan_first=plan_first,
        launches=1,
        launch_expires_at=server_now + timedelta(seconds=ports.settings.launch_lease_seconds),
    )
