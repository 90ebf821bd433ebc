"""What workflows/brain.yaml and the function `brain` say to each other, and the lease of a workspace's one drain."""

from __future__ import annotations

from typing import Literal

from shared.contracts.base import Model, Stored, UtcDatetime


class DrainLease(Stored):
    """workspaces/{workspace}/leases/brain-drain: the execution that drains the queue, one at a time."""

    execution: str | None = None
    fence: int = 0
    """Rises with each execution that takes the queue over; calls with a lower number end."""
    expires_at: UtcDatetime | None = None
    """Until then that execution is supposed to live; it says so again and again."""
    started_at: UtcDatetime | None = None
    launch_expires_at: UtcDatetime | None = None
    """Until then someone is starting an execution; nobody else may."""


class DrainArgument(Model):
    """The argument of workflows/brain.yaml."""

    workspace: str


class DrainStartRequest(DrainArgument):
    """POST brain/start."""

    execution: str
    """The full resource name of the calling execution."""


class DrainStartAnswer(Model):
    """`superseded`: another execution drains the queue, or the brain is switched off here; the caller ends."""

    status: Literal["running", "superseded"]
    fence: int
    lanes: tuple[int, ...] = ()


class DrainRequest(DrainArgument):
    """POST brain/run and brain/next."""

    fence: int
    execution: str


class DrainLaneAnswer(Model):
    """`more`: the lane asks again after so many seconds."""

    more: bool
    wait_seconds: float = 0.0


class DrainAnswer(Model):
    """POST brain/next. `done`: nothing is left, and the lease is given back; `fence` goes into the next calls."""

    status: Literal["running", "done", "superseded"]
    fence: int
    wait_seconds: float = 0.0
    """0 to 60: until the next job is due, or until the next look."""
    lanes: tuple[int, ...] = ()
    """What to work in after that; none where nothing will be due by then."""


class DrainFailRequest(DrainRequest):
    """POST brain/fail: the workflow's last word."""

    message: str
