"""Starting the execution of workflows/brain.yaml that drains a workspace's queue, where none does.

Whoever has made a job due looks at the lease after that. A drain that is there looks at the queue once more after it
has given its lease back: so one of the two sees the other.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from shared.brain.ports import Ports
from shared.contracts.brain_drain import DrainArgument, DrainLease
from shared.contracts.workspaces import Feature
from shared.errors import Forbidden, PaymentRequired
from shared.faultpoint import faultpoint

WORKFLOW = "brain"


class Launching:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def ensure(self, workspace: str, *, doubting: bool = False) -> bool:
        """Start an execution unless one drains the queue, or is being started; whether one was started.

        `doubting` asks whether the one that has the lease still lives, and takes it for none where it does not. Raises
        MemexError when none could be started, which the sweep makes up for. While spending is paused none is.
        """
        if self._ports.paused(workspace):
            return False
        if not self._leased(workspace, doubting=doubting):
            return False
        faultpoint("before_call:executions.create")
        self._ports.executions.start(WORKFLOW, DrainArgument(workspace=workspace).model_dump())
        faultpoint("after_call:executions.create")
        return True

    def allowed(self, workspace: str) -> bool:
        """Whether the workspace has the brain, and has it on."""
        try:
            self._ports.spending.require(workspace, Feature.BRAIN)
        except (Forbidden, PaymentRequired):
            return False
        return True

    def _leased(self, workspace: str, *, doubting: bool) -> bool:
        def decide(lease: DrainLease, now: datetime) -> DrainLease | None:
            if held(lease, now) and not (doubting and self._dead(lease)):
                return None
            if lease.launch_expires_at is not None and lease.launch_expires_at > now:
                return None
            until = now + timedelta(seconds=self._ports.settings.launch_lease_seconds)
            return lease.model_copy(update={"execution": None, "expires_at": None, "launch_expires_at": until})

        return self._ports.store(workspace).brain_drain.change(decide, point="brain.launch")[1]

    def _dead(self, lease: DrainLease) -> bool:
        return lease.execution is not None and not self._ports.executions.alive(lease.execution)


def held(lease: DrainLease, now: datetime) -> bool:
    """Whether an execution has the queue that was heard of in time."""
    return lease.execution is not None and lease.expires_at is not None and lease.expires_at > now
