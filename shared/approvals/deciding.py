"""A person decides on a proposed change. Approving makes exactly the call that was shown, and both are one commit.

So it happens once, however often and by how many it is approved, and never without being recorded as approved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.clock import Clock
from shared.contracts.approvals import Approval, ApprovalAnswer, ApprovalEdit, ApprovalStatus
from shared.contracts.operations import Failure
from shared.errors import Conflict, InputError, MemexError, NotFound, Transient
from shared.gateway.transport import Cut
from shared.ids import IdSource, derived
from shared.store import paths
from shared.store.changing import Change
from shared.store.effects import Stale
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Write
from shared.tools.registry import Registry
from shared.tools.running import TimedOut
from shared.tools.services import Services
from shared.tools.tool import Job


class Decided(Conflict):
    """Someone else has decided meanwhile."""


class StaleApproval(Conflict):
    """What it would change was changed since it was proposed: nothing was applied, and nothing will be."""


class EditedApproval(Conflict):
    """Its arguments are not those that were shown: nothing was applied, and it still waits."""


class Deciding:
    """The decisions of one workspace; `registry` holds every tool, acting."""

    def __init__(
        self, store: WorkspaceStore, services: Services, registry: Registry, *, clock: Clock, ids: IdSource
    ) -> None:
        self._store, self._services, self._registry = store, services, registry
        self._clock, self._ids = clock, ids

    def approve(self, approval_id: str, edits: int | None = None) -> ApprovalAnswer:
        """Make the change. Once decided, a no-op that says so. `edits` is that of the approval as it was shown.

        Raises NotFound, StaleApproval where the target changed since (the approval is then stale for good), Transient,
        EditedApproval where the arguments are others than those that were shown.
        """
        approval = self._store.approvals.get(approval_id)
        if approval.status is not ApprovalStatus.PENDING:
            return _decided_before(approval)
        _check_seen(approval, edits)
        writer = self._ids.fresh()
        try:
            self._registry.run(self._job(approval, writer), approval.tool, approval.arguments)
        except Decided:
            return _decided_before(self._store.approvals.get(approval_id))
        except (Stale, NotFound) as failure:
            return self._stale(approval_id, failure)
        except (Transient, TimedOut, EditedApproval):
            raise
        except MemexError as failure:
            return self._failed(approval_id, failure)
        held = self._store.approvals.read(approval_id)
        if held.writer != writer:
            return _decided_before(held.approval)
        return ApprovalAnswer(approval=held.approval, changed=True, message="Approved, and done.")

    def edit(self, approval_id: str, wanted: ApprovalEdit) -> ApprovalAnswer:
        """Other arguments, with what they would change of the target as it is now. Nothing is applied.

        Raises NotFound, EditedApproval, InputError that names the field for arguments that the tool does not take and
        for another target, and what the tool's preview raises.
        """
        approval = self._store.approvals.get(approval_id)
        tool, arguments = self._registry.given(approval.tool, wanted.arguments)
        assert tool.preview is not None  # only what changes something is proposed
        shown = tool.preview(self._job(approval, ""), arguments)
        if shown.target != approval.target:
            raise InputError("arguments: it is about another target; propose that by itself", field="arguments")
        given = arguments.model_dump(mode="json", exclude_unset=True)

        def decide(current: Approval) -> Change | None:
            if current.status is not ApprovalStatus.PENDING:
                return None
            _check_seen(current, wanted.edits)
            update = {
                "arguments": given,
                "edits": current.edits + 1,
                "title": shown.title,
                "target_revision": shown.revision,
                "before": dict(shown.before),
                "after": dict(shown.after),
                "updated_at": self._clock.now(),
            }
            return Change(current.model_copy(update=update).model_dump())

        changed = self._store.approvals.change(approval_id, decide, point="approval.edit").changed
        after = self._store.approvals.get(approval_id)
        if not changed:
            return _decided_before(after)
        return ApprovalAnswer(approval=after, changed=True, message="Changed; it still waits for your word.")

    def reject(self, approval_id: str) -> ApprovalAnswer:
        """Decide against it. Once decided, a no-op that says so. Raises NotFound."""
        after, changed = self._close(approval_id, ApprovalStatus.REJECTED, None)
        if not changed:
            return _decided_before(after)
        return ApprovalAnswer(approval=after, changed=True, message="Rejected; nothing was changed.")

    def _job(self, approval: Approval, writer: str) -> Job:
        def also(answer: Mapping[str, Any]) -> tuple[Write, ...]:
            held = self._store.approvals.read(approval.id)
            if held.approval.status is not ApprovalStatus.PENDING:
                raise Decided("It was decided meanwhile.")
            _check_seen(held.approval, approval.edits)
            now = self._clock.now()
            update = {"status": ApprovalStatus.APPROVED, "result": dict(answer), "decided_at": now, "updated_at": now}
            return (held.write(held.approval.model_copy(update=update), writer),)

        return Job(
            store=self._store,
            services=self._services,
            clock=self._clock,
            actor=paths.approval(approval.id),
            effect_key=derived("effect", self._store.workspace, "approval", approval.id),
            cut=Cut(),
            also=also,
            revision=approval.target_revision,
        )

    def _stale(self, approval_id: str, why: MemexError) -> ApprovalAnswer:
        after, changed = self._close(approval_id, ApprovalStatus.STALE, Failure(code="stale", message=why.message))
        if not changed:
            return _decided_before(after)
        raise StaleApproval(
            "What it would change has been changed since it was proposed, so nothing was applied.", status="stale"
        ) from why

    def _failed(self, approval_id: str, failure: MemexError) -> ApprovalAnswer:
        error = Failure(code=failure.code, message=failure.message)
        after, changed = self._close(approval_id, ApprovalStatus.FAILED, error)
        if not changed:
            return _decided_before(after)
        return ApprovalAnswer(approval=after, changed=True, message=f"It could not be applied: {failure.message}")

    def _close(self, approval_id: str, status: ApprovalStatus, error: Failure | None) -> tuple[Approval, bool]:
        """End it without a change of anything else; the approval then, and whether this call ended it."""

        def decide(approval: Approval) -> Change | None:
            if approval.status is not ApprovalStatus.PENDING:
                return None
            now = self._clock.now()
            update = {"status": status, "error": error, "decided_at": now, "updated_at": now}
            return Change(approval.model_copy(update=update).model_dump())

        changed = self._store.approvals.change(approval_id, decide, point="approval.close")
        return self._store.approvals.get(approval_id), changed.changed


def _check_seen(approval: Approval, edits: int | None) -> None:
    if edits is not None and approval.edits != edits:
        raise EditedApproval("It was edited since it was shown: look at it again, then decide.", status="edited")


_SAID = {
    ApprovalStatus.APPROVED: "It was approved before, and done once.",
    ApprovalStatus.REJECTED: "It was rejected before; nothing was changed.",
    ApprovalStatus.STALE: "Its target had changed, so it was not applied, and will not be.",
    ApprovalStatus.FAILED: "It was approved before and could not be applied.",
}


def _decided_before(approval: Approval) -> ApprovalAnswer:
    return ApprovalAnswer(
        approval=approval, changed=False, message=_SAID.get(approval.status, "It is not decided yet.")
    )
