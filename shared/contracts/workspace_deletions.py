"""The deletion of a workspace: how far it is, and what its workflow and its function say to each other."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import StrictBool

from shared.contracts.base import Model, Stored, UtcDatetime


class DeletionStatus(StrEnum):
    """`marked` until it begins, and until then it can be undone; `running` until nothing is left."""

    MARKED = "marked"
    RUNNING = "running"
    COMPLETED = "completed"

    @property
    def terminal(self) -> bool:
        return self is DeletionStatus.COMPLETED


class WorkspaceDeletion(Stored):
    """workspace_deletions/{workspace}: as long as it is there, nothing is written into that workspace."""

    workspace: str
    status: DeletionStatus = DeletionStatus.MARKED
    requested_at: UtcDatetime
    requested_by: str = ""
    begins_at: UtcDatetime
    """Until then nothing is taken away; what ran in the workspace was cancelled at once."""
    stopped_at: UtcDatetime | None = None
    """Since then nothing runs in it any more."""
    began_at: UtcDatetime | None = None
    finished_at: UtcDatetime | None = None
    updated_at: UtcDatetime
    phase: str = "stopping"
    """stopping | waiting | sessions | documents | files | archive | done"""
    stopped: int = 0
    """Operations, runs, turns and queues that were ended."""
    documents: int = 0
    files: int = 0
    """Objects in object storage, those of the archive of traces included."""
    sessions: int = 0
    """Checkpoints of conversations in a session store outside."""
    problems: tuple[str, ...] = ()
    """What could not be ended or taken away, as a person is told it."""

    look_at: UtcDatetime | None = None
    """When it is looked at next: for its beginning, and for what came late, after its end. None: never again."""
    looks: int = 0
    execution: str | None = None
    claimed: bool = False
    fence: int = 0
    """Rises with each execution that takes it over; a slice of an earlier one is refused."""
    launch_expires_at: UtcDatetime | None = None


class DeletionCreate(Model):
    """DELETE /api/v1/workspace and /api/v1/workspaces/{workspace}: without a body it begins after the days of grace."""

    now: StrictBool = False
    """Begin at once: there is no way back then."""


class DeletionAnswer(Model):
    deletion: WorkspaceDeletion


class DeletionArgument(Model):
    """The argument of workflows/workspace_deletion.yaml."""

    workspace: str


class DeletionStartRequest(DeletionArgument):
    """POST workspace-deletion/start."""

    execution: str
    """The full resource name of the calling execution."""


class DeletionStepRequest(DeletionArgument):
    """POST workspace-deletion/step: work for most of a minute."""

    fence: int


class DeletionStepAnswer(Model):
    """What start and step answer. `waiting`: nothing runs any more, and it does not begin yet; the caller ends.

    `superseded`: another execution has it, or it was undone; the caller ends.
    """

    status: Literal["running", "waiting", "completed", "superseded"]
    fence: int
    wait_seconds: float = 0.0


class DeletionFailRequest(DeletionArgument):
    """POST workspace-deletion/fail: the workflow's last word; the next sweep starts another execution."""

    fence: int
    message: str
