"""Approvals: changes that were proposed and wait for a person's word."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import Field

from shared.contracts.base import Model, Stored, UtcDatetime
from shared.contracts.operations import Failure


class ApprovalStatus(StrEnum):
    """`pending` until someone decides; the others are never left."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    STALE = "stale"
    """Approved too late: its target had changed since it was proposed, so nothing was applied."""
    FAILED = "failed"
    """Approved, but it could not be applied; `error` says why."""


class Approval(Stored):
    """workspaces/{workspace}/approvals/{id}: one call of a changing tool, exactly as it would be made."""

    id: str
    status: ApprovalStatus = ApprovalStatus.PENDING
    title: str
    """What would happen, in one sentence: made from the call, never by who proposes it."""
    reason: str = ""
    """Why it is proposed, in the words of who proposes it."""
    tool: str
    arguments: dict[str, Any]
    """What is shown is what is run: the tool gets exactly these."""
    edits: int = 0
    """How often a person has changed the arguments before deciding."""
    proposed_by: str
    """routine/{run}, or chat_sessions/{session}."""
    target: str | None = None
    """The document it would change, such as notes/n1 or tasks/t1; none when it creates one."""
    target_revision: str | None = None
    """The target's update time when it was proposed (RFC 3339): approving refuses when it has another one now."""
    before: dict[str, Any] = Field(default_factory=dict)
    """Of the target, the fields that would change, as they were."""
    after: dict[str, Any] = Field(default_factory=dict)
    """The same fields as they would be."""
    created_at: UtcDatetime
    updated_at: UtcDatetime
    decided_at: UtcDatetime | None = None
    result: dict[str, Any] | None = None
    """What the tool answered."""
    error: Failure | None = None


class ApprovalEdit(Model):
    """PATCH /api/v1/approvals/{id}: other arguments for the same tool and the same target."""

    arguments: dict[str, Any]
    edits: int
    """That of the approval as it was shown: one that was edited meanwhile is not edited over."""


class ApprovalSeen(Model):
    """POST /api/v1/approvals/{id}/approve, which may have a body: what is approved is what was shown."""

    edits: int


class ApprovalAnswer(Model):
    """`changed` is False when it had been decided before; `message` says what happened."""

    approval: Approval
    changed: bool = True
    message: str = ""


class ApprovalsAnswer(Model):
    approvals: tuple[Approval, ...]
    next_cursor: str | None = None
