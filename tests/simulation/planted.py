"""Bugs put into the product on purpose, one at a time, each a small patch: a simulation that misses one is broken."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from infra.sim import front
from infra.sim.world import WORKSPACE
from shared.contracts.research import SweepAnswer
from shared.errors import NotFound
from shared.gateway.interactions import InteractionError, Interactions
from shared.ids import derived
from shared.operations import ending, launch
from shared.research import attempts, opening, polling, reconciling
from shared.research.creating import Creating
from shared.store import guards, operations, streams, writes
from shared.store.documents import parsed
from shared.store.errors import Malformed
from shared.store.notes import creating as creating_note
from shared.store.streams import Append
from shared.webhooks.verifying import Verifier
from shared.webhooks.waking import Waking

Planted = Callable[[], AbstractContextManager[Any]]
PLANTED: dict[str, Planted] = {}


def planted(name: str) -> Callable[[Callable[[], Iterator[None]]], Planted]:
    """Register a bug under a name that says what is missing."""

    def register(plant: Callable[[], Iterator[None]]) -> Planted:
        PLANTED[name] = contextmanager(plant)
        return PLANTED[name]

    return register


def _nothing(*_: Any, **__: Any) -> None:
    """Instead of a check: none."""


@planted("no dedupe of taggings")
def _no_dedupe() -> Iterator[None]:
    numbers = itertools.count()

    def fresh(tagging: Any) -> str:
        if "_id" not in vars(tagging):
            object.__setattr__(tagging, "_id", derived("op", tagging.note_id, str(next(numbers))))
        return str(vars(tagging)["_id"])

    with (
        patch.object(opening, "_dealt_with", lambda *_: False),
        patch.object(opening, "_running", _nothing),
        patch.object(opening.Tagging, "operation_id", property(fresh)),
    ):
        yield


@planted("marker committed apart from the work")
def _marker_apart() -> Iterator[None]:
    create = opening._create

    def apart(ports: Any, tagging: Any) -> Any:
        store = ports.store(tagging.workspace)
        held = store.claims.read(tagging.note_id)
        tagged_at = opening._tagged_at(held.claim, tagging)
        claim = held.claim.model_copy(update={"operation_id": tagging.operation_id, "tagged_at": tagged_at})
        store.claims.save(held, claim, point="claim.apart")
        with patch.object(opening, "_dealt_with", lambda *_: False):
            return create(ports, tagging)

    with patch.object(opening, "_create", apart):
        yield


@planted("no fence")
def _no_fence() -> Iterator[None]:
    with patch.object(guards, "fenced", _nothing):
        yield


@planted("no terminal guard")
def _no_terminal_guard() -> Iterator[None]:
    with patch.object(guards, "running", _nothing), patch.object(guards, "open_stream", _nothing):
        yield


@planted("late completion overwrites a cancel")
def _overwrites() -> Iterator[None]:
    def open_unless_cancelled(_parent: str, fields: Any) -> None:
        if fields.get("status") != "cancelled" and fields.get("stream_ended"):
            raise guards.StreamEnded("ended")

    with (
        patch.object(polling.guards, "running", _nothing),
        patch.object(guards, "open_stream", open_unless_cancelled),
    ):
        yield


@planted("sweeper without a state check")
def _hasty_sweeper() -> Iterator[None]:
    def revive(self: Any, one: Any, mended: Any) -> None:
        operation = self._ports.store(one.workspace).operations.get(one.id)
        self._count(self._launching.ensure(one.workspace, one.id, dead=operation.execution), "relaunched", mended)

    with patch.object(reconciling.Reconciler, "_revive", revive):
        yield


@planted("no sweeper")
def _no_sweeper() -> Iterator[None]:
    with patch.object(reconciling.Reconciler, "sweep", lambda _self: SweepAnswer()):
        yield


@planted("no reaper")
def _no_reaper() -> Iterator[None]:
    with patch.object(reconciling.Reconciler, "_stop", _nothing):
        yield


@planted("effect without a key")
def _no_key() -> Iterator[None]:
    numbers, closing = itertools.count(), ending.closing

    def report_first(ports: Any, operation: Any, how: Any, last: Any = None) -> Append:
        if how.note is None:
            return closing(ports, operation, how, last)
        note = how.note.model_copy(update={"id": f"report-{next(numbers)}"})
        database = ports.store(WORKSPACE).notes._database
        database.commit(creating_note(note), "report.apart")
        made = closing(ports, operation, ending.Ending(how.status, how.failure, note, how.data), last)
        return Append(made.update, made.events)

    with patch.object(polling, "closing", report_first):
        yield


@planted("create retried blindly")
def _blind_retry() -> Iterator[None]:
    create = Interactions.create

    def again(self: Interactions, body: Any, *, deadline_seconds: float) -> str:
        for _ in range(3):
            try:
                return create(self, body, deadline_seconds=deadline_seconds)
            except InteractionError:
                continue
        return create(self, body, deadline_seconds=deadline_seconds)

    with patch.object(Interactions, "create", again):
        yield


@planted("cancel read once")
def _read_once() -> Iterator[None]:
    def intend(self: Any, workspace: str, operation: Any) -> Any:
        def decide(now_stored: Any, found: Any) -> Append | None:
            if now_stored is None:
                raise NotFound("gone")
            if attempts.is_running(attempts.current(now_stored)):
                return None
            after = attempts.intended(now_stored, found.read_time, 90.0)
            return Append({"interactions": attempts.as_stored(after), "interaction_id": None})

        return self._ports.store(workspace).operations.append(operation.id, decide, point="operation.intend").operation

    with patch.object(Creating, "_intend", intend):
        yield


@planted("no precondition on an append")
def _no_precondition() -> Iterator[None]:
    with patch.object(streams, "update", lambda path, fields, _update_time=None: writes.update(path, fields)):
        yield


@planted("acknowledged before the commit")
def _hasty_acknowledgement() -> Iterator[None]:
    def at_once(self: Any, name: str, request: Any, again_within: float) -> int:
        self.open(name, request, again_within)
        return 200

    with patch.object(front.Front, "_status", at_once):
        yield


@planted("two executions at once")
def _no_lease() -> Iterator[None]:
    with patch.object(launch, "is_leased", lambda *_: False):
        yield


@planted("new code needs a field that older code does not write")
def _no_default() -> Iterator[None]:
    def strict(model: Any, fields: Any, path: str) -> Any:
        if "asked_by" not in fields:
            raise Malformed(f"{path} is malformed in asked_by", field="asked_by")
        return parsed(model, fields, path)

    with patch.object(operations, "parsed", strict):
        yield


def all_of(names: list[str]) -> AbstractContextManager[Any]:
    """Several bugs at once."""
    stack = ExitStack()
    for name in names:
        stack.enter_context(PLANTED[name]())
    return stack


__all__ = ["PLANTED", "SweepAnswer", "all_of"]


@planted("webhooks not told apart")
def _every_webhook_wakes() -> Iterator[None]:
    note = Waking._note

    def anew(self: Waking, found: Any, names: Any, interaction_id: str) -> Any:
        del names
        return note(self, found, [], interaction_id)

    with patch.object(Waking, "_note", anew):
        yield


@planted("forged webhooks taken")
def _no_signatures() -> Iterator[None]:
    with patch.object(Verifier, "check", lambda _self, delivery: (delivery.id,)):
        yield
