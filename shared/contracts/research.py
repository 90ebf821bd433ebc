"""What the research workflow and the function `research` say to each other, and how a workflow is started."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, model_validator

from shared.contracts.base import Model
from shared.contracts.operations import Operation, OperationStatus


class ResearchArgument(Model):
    """The argument of workflows/research.yaml: an operation, or a note for which one is found or created."""

    workspace: str
    operation_id: str | None = None
    note_id: str | None = None

    @model_validator(mode="after")
    def _one_of(self) -> ResearchArgument:
        if bool(self.operation_id) == bool(self.note_id):
            raise ValueError("give operation_id or note_id, one of the two")
        return self


class StartRequest(ResearchArgument):
    """POST research/start."""

    execution: str
    """The full resource name of the calling execution."""


class StartAnswer(Model):
    """`superseded`: another execution has the operation, or it has ended; the caller ends. So it does when spending is
    `paused`: the sweep starts another once it goes on."""

    operation_id: str
    status: Literal["running", "superseded", "paused"]
    fence: int
    next_poll_seconds: float
    early_wake: bool = False
    """Whether the service tells of the end of the run, so that the caller had better listen for it."""


class ListenRequest(Model):
    """POST research/listen: where the calling execution can be woken. Nothing is asked of the service."""

    workspace: str
    operation_id: str
    fence: int
    callback_url: str


class PollRequest(Model):
    """POST research/poll: at most one GET of the interaction."""

    workspace: str
    operation_id: str
    fence: int


class PollAnswer(Model):
    """What poll and listen answer; `paused` as above."""

    status: OperationStatus | Literal["superseded", "paused"]
    next_poll_seconds: float


class FailRequest(Model):
    """POST research/fail: the workflow's last resort, when start or poll could not be called any more."""

    workspace: str
    operation_id: str | None = None
    note_id: str | None = None
    fence: int = 0
    execution: str = ""
    """The calling execution; without a fence it tells whether the operation is still its own."""
    message: str


class FailAnswer(Model):
    operation: Operation | None


class SweepRequest(Model):
    """POST reconcile: nothing to say yet; what the scheduler sends is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class SweepAnswer(Model):
    """How many of each kind a sweep mended; `failed` counts what could not be mended and is left to the next."""

    launched: int = 0
    relaunched: int = 0
    stopped: int = 0
    opened: int = 0
    filled: int = 0
    turns: int = 0
    """Chat turns that nobody looked after."""
    runs: int = 0
    """Agent runs that no living execution drove."""
    indexed: int = 0
    """Notes whose index was missing or old."""
    purged: int = 0
    """Notes that had been in the trash long enough."""
    documents: int = 0
    """Documents whose deletion broke off, or whose upload nobody reported."""
    jobs: int = 0
    """Jobs of brains whose worker was not heard of again."""
    expired: int = 0
    """Plans that nobody decided on while they were kept."""
    drains: int = 0
    """Queues of brains that nobody drained."""
    deletions: int = 0
    """Deletions of workspaces that were started, or whose late comers were taken away."""
    failed: int = 0
    failures: tuple[str, ...] = ()
    out_of_time: bool = False

    def __add__(self, other: SweepAnswer) -> SweepAnswer:
        """Both sweeps as one."""
        return SweepAnswer(**{name: getattr(self, name) + getattr(other, name) for name in SweepAnswer.model_fields})
