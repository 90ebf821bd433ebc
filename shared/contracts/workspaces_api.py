"""What the API says of workspaces and takes for them."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from shared.contracts.base import Model, UtcDatetime
from shared.contracts.members import Email, MemberRole
from shared.contracts.workspace_deletions import DeletionStatus, WorkspaceDeletion
from shared.contracts.workspaces import Plan, Quotas


class WorkspaceCreate(Model):
    """POST /api/v1/workspaces, by an operator."""

    id: str = Field(pattern=r"^[A-Za-z0-9_-]{1,128}$")
    """Its name in addresses and tokens, for good."""
    name: str = Field(default="", max_length=200)
    """What people call it."""
    plan: Plan = Plan.FREE
    owner: Email | None = None
    """Its first member; without one only tokens of the workspace come in."""


class WorkspaceView(Model):
    """A workspace as the API shows it."""

    id: str
    name: str
    plan: Plan
    features: Mapping[str, bool]
    quotas: Quotas
    created_at: UtcDatetime | None
    deletion: WorkspaceDeletion | None
    """While it is to be deleted, is being deleted, or was."""


class WorkspaceAnswer(Model):
    workspace: WorkspaceView


class WorkspaceEntry(Model):
    """A workspace in a list."""

    id: str
    name: str
    plan: Plan
    created_at: UtcDatetime | None
    role: MemberRole | None
    """The caller's own there; null for an operator."""
    deletion: DeletionStatus | None
    begins_at: UtcDatetime | None
    """When its deletion begins, where it is to be deleted."""


class WorkspacesAnswer(Model):
    """By id."""

    workspaces: tuple[WorkspaceEntry, ...]
