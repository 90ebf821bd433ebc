"""A person's word on a plan: another wording, another plan, or the approval with which the run is paid for.

Each is one commit on the plan as it was shown. Dropping it is cancelling the operation.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

from shared.contracts.events import EventType
from shared.contracts.operations import Operation, OperationStatus, PlanAnswer
from shared.contracts.plans import PlanApproval, PlanChange, PlanEdit, ResearchPlan
from shared.errors import Conflict, MemexError, NotFound, Transient
from shared.operations.launching import Launching
from shared.research.budget import set_aside, set_aside_for_plan
from shared.research.planning.phase import digest_of
from shared.research.ports import Ports
from shared.store.operations import DecideOperation
from shared.store.streams import Append
from shared.store.writes import Snapshot


class PlanConflict(Conflict):
    """`reason`: plan_changed, not_waiting, note_changed or note_gone. Nothing was done."""


class PlanDeciding:
    def __init__(self, ports: Ports, launching: Launching) -> None:
        self._ports, self._launching = ports, launching

    def edit(self, workspace: str, operation_id: str, wanted: PlanEdit, *, by: str) -> Operation:
        """Other words for the plan; it still waits. The same words again change nothing.

        Raises NotFound, PlanConflict, Transient.
        """

        def decide(operation: Operation | None, _found: Snapshot) -> Append | None:
            plan = _waiting(operation, operation_id)
            if plan.text == wanted.text:
                return None
            _check_revision(plan, wanted.revision)
            after = _edited(plan, wanted.text)
            event = self._ports.event(EventType.PLAN_EDITED, revision=after.revision, by=by)
            return Append({"plan": after.model_dump(), "updated_at": self._ports.now()}, (event,))

        return self._append(workspace, operation_id, decide, "operation.plan_edited")

    def change(self, workspace: str, operation_id: str, wanted: PlanChange, *, by: str) -> Operation:
        """Have the service make another plan, which costs what the first did.

        Raises NotFound, PlanConflict, BudgetExceeded, SpendingPaused, Transient; the plan still waits then.
        """
        operation = self._ports.store(workspace).operations.get(operation_id)
        _check_revision(_waiting(operation, operation_id), wanted.revision)
        changed = self._note_changed(workspace, operation)
        self._ports.check_spending(workspace)
        set_aside_for_plan(self._ports, workspace, operation_id)

        def decide(operation: Operation | None, found: Snapshot) -> Append | None:
            plan = _waiting(operation, operation_id)
            _check_revision(plan, wanted.revision)
            after = plan.model_copy(update={"change": wanted.change, "note_changed": changed})
            event = self._ports.event(EventType.PLAN_CHANGE_ASKED, by=by, change=wanted.change)
            return Append(self._resumed(operation, after, found), (event,))

        operation = self._append(workspace, operation_id, decide, "operation.plan_change")
        return self._started(workspace, operation)

    def approve(self, workspace: str, operation_id: str, seen: PlanApproval, *, by: str) -> PlanAnswer:
        """Have the run made by the plan as it was shown, or with a last edit. The same approval again is one.

        Raises NotFound, PlanConflict, BudgetExceeded, SpendingPaused, Transient; the plan still waits then.
        """
        operation = self._ports.store(workspace).operations.get(operation_id)
        if _is_approved(operation, seen):
            return self._again(workspace, operation)
        _check_revision(_waiting(operation, operation_id), seen.revision)
        changed = self._note_changed(workspace, operation)
        if changed and not seen.anyway:
            raise PlanConflict(
                "The note was changed since the plan was made for it: ask for another plan, or approve it anyway.",
                reason="note_changed",
            )
        self._ports.check_spending(workspace)
        set_aside(self._ports, workspace, operation_id)
        try:
            operation = self._approved(workspace, operation_id, seen, by, changed)
        except MemexError:
            self._released(workspace, operation_id)
            raise
        return PlanAnswer(operation=self._started(workspace, operation), message="Approved: the research begins.")

    def _approved(self, workspace: str, operation_id: str, seen: PlanApproval, by: str, changed: bool) -> Operation:
        def decide(operation: Operation | None, found: Snapshot) -> Append | None:
            if operation is not None and _is_approved(operation, seen):
                return None
            plan = _waiting(operation, operation_id)
            _check_revision(plan, seen.revision)
            if seen.text is not None and seen.text != plan.text:
                plan = _edited(plan, seen.text)
            said = {"approved_at": self._ports.now(), "approved_by": by, "note_changed": changed, "change": ""}
            after = plan.model_copy(update=said)
            edited, revision = after.edited_by_person, after.revision
            event = self._ports.event(EventType.PLAN_APPROVED, revision=revision, by=by, edited=edited)
            return Append({**self._resumed(operation, after, found), "asked_by": "hand"}, (event,))

        return self._append(workspace, operation_id, decide, "operation.plan_approved")

    def _append(self, workspace: str, operation_id: str, decide: DecideOperation, point: str) -> Operation:
        return self._ports.store(workspace).operations.append(operation_id, decide, point=point).operation

    def _resumed(self, operation: Operation | None, plan: ResearchPlan, found: Snapshot) -> dict[str, Any]:
        """The fields with which an operation goes on: a round of its own, and the lease to start its execution."""
        assert operation is not None  # it has a plan that waits
        now, lease = self._ports.now(), timedelta(seconds=self._ports.settings.launch_lease_seconds)
        return {
            "status": OperationStatus.RUNNING.value,
            "plan": plan.model_dump(),
            "round": operation.round + 1,
            "resumed_at": now,
            "wakes_seen": operation.wakes,
            "launches": 1,
            "launch_expires_at": found.read_time + lease,
            "updated_at": now,
        }

    def _started(self, workspace: str, operation: Operation) -> Operation:
        """Whatever its start needs, the sweep comes for it: the word has been given."""
        mine = operation.status is OperationStatus.RUNNING and operation.launch_expires_at is not None
        with suppress(Transient):
            return self._launching.start(workspace, operation) if mine else operation
        return operation

    def _again(self, workspace: str, operation: Operation) -> PlanAnswer:
        with suppress(Transient):
            operation = self._launching.ensure(workspace, operation.id)
        return PlanAnswer(operation=operation, changed=False, message="It was approved before; it runs once.")

    def _note_changed(self, workspace: str, operation: Operation) -> bool:
        """Raises PlanConflict where there is no note any more."""
        try:
            note = self._ports.store(workspace).notes.get(operation.source_note_id)
        except NotFound as error:
            raise PlanConflict(
                "The note was deleted: restore it from the trash, or drop the plan.", reason="note_gone"
            ) from error
        return operation.plan is not None and digest_of(note) != operation.plan.note_digest

    def _released(self, workspace: str, operation_id: str) -> None:
        """What was set aside comes back, unless the approval is there after all: this one, or another's."""
        with suppress(MemexError):  # it runs out by itself
            operation = self._ports.store(workspace).operations.get(operation_id)
            if operation.plan is None or operation.plan.approved_at is None:
                self._ports.spending.release(workspace, operation_id)


def _waiting(operation: Operation | None, operation_id: str) -> ResearchPlan:
    """The plan of an operation that waits. Raises NotFound, PlanConflict."""
    if operation is None:
        raise NotFound(f"There is no operation {operation_id}.")
    if operation.status is not OperationStatus.AWAITING_APPROVAL or operation.plan is None:
        raise PlanConflict(f"No plan waits here: {_instead(operation)}.", reason="not_waiting")
    return operation.plan


def _instead(operation: Operation) -> str:
    if operation.status.terminal:
        return f"the operation has ended ({operation.status.value})"
    if not operation.plan_first:
        return "this research was begun without one"
    approved = operation.plan is not None and operation.plan.approved_at is not None
    return "it was approved, and the research runs" if approved else "it is still being made"


def _check_revision(plan: ResearchPlan, revision: int) -> None:
    if plan.revision != revision:
        raise PlanConflict(
            "The plan was changed since it was shown: look at it again.", reason="plan_changed", revision=plan.revision
        )


def _edited(plan: ResearchPlan, text: str) -> ResearchPlan:
    return plan.model_copy(update={"text": text, "revision": plan.revision + 1, "edited_by_person": True})


def _is_approved(operation: Operation, seen: PlanApproval) -> bool:
    """Whether just this was approved before, by the same request or another."""
    plan = operation.plan
    if plan is None or plan.approved_at is None:
        return False
    return plan.text == seen.text if seen.text is not None else plan.revision == seen.revision
