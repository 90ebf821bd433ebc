"""Starting the execution of workflows/agent_run.yaml that drives a run: one at a time, as the lease allows.

A second execution that comes to be all the same finds the run claimed, and ends.
"""

from __future__ import annotations

from datetime import timedelta

from shared.contracts.runs import AgentRun, RunArgument
from shared.errors import MemexError, Transient
from shared.faultpoint import faultpoint
from shared.research.executions import same_execution
from shared.runs.ending import Ending, end
from shared.runs.ports import Key, Ports
from shared.store.runs import missing
from shared.store.streams import Append
from shared.store.writes import Snapshot

WORKFLOW = "agent_run"
LAUNCHES = 6
"""Executions started for one run; each but the first was found dead by the sweep."""


class LaunchHeld(Transient):
    """Another caller is starting an execution at this moment."""


class Launching:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def ensure(self, key: Key, *, dead: str | None = None) -> bool:
        """Start an execution unless the run has one, or has ended; whether one was started.

        `dead` names one that has ended without ending the run: it counts as none. A run whose executions all died
        fails. Raises NotFound, LaunchHeld, and Transient when the start failed and may succeed later.
        """
        if not self._leased(key, dead):
            return False
        faultpoint("before_call:executions.create")
        argument = RunArgument(workspace=key.workspace, run_id=key.run_id)
        try:
            name = self._ports.executions.start(WORKFLOW, argument.model_dump())
        except Transient:
            raise
        except MemexError as error:
            message = f"{error.message} Deploy the workflow {WORKFLOW} and let this function's account start it."
            end(self._ports, key, Ending.failed(f"start_{error.code}", message), point="run.end")
            return False
        faultpoint("after_call:executions.create")
        self._launched(key, name)
        return True

    def _launched(self, key: Key, name: str) -> None:
        def decide(run: AgentRun | None, _found: Snapshot) -> Append | None:
            if run is None or run.status.terminal or run.claimed:
                return None  # whoever was started has said so himself
            return Append({"execution": name, "launch_expires_at": None})

        self._ports.store(key.workspace).runs.append(key.run_id, decide, point="run.launched")

    def _leased(self, key: Key, dead: str | None) -> bool:
        hopeless: list[AgentRun] = []

        def decide(run: AgentRun | None, found: Snapshot) -> Append | None:
            hopeless.clear()
            if run is None:
                raise missing(key.run_id)
            execution = None if same_execution(run.execution, dead) else run.execution
            if run.status.terminal or execution is not None:
                return None
            if run.launch_expires_at is not None and run.launch_expires_at > found.read_time:
                raise LaunchHeld("Another caller is starting an execution for this run.", retry_after_seconds=5.0)
            if run.launches >= LAUNCHES:
                hopeless.append(run)
                return None
            until = found.read_time + timedelta(seconds=self._ports.settings.launch_lease_seconds)
            change = {"execution": None, "claimed": False, "launches": run.launches + 1, "launch_expires_at": until}
            return Append({**change, "updated_at": self._ports.now()})

        change = self._ports.store(key.workspace).runs.append(key.run_id, decide, point="run.lease")
        if hopeless:
            message = f"{LAUNCHES} executions were started and none ended this. Look at the workflow's executions."
            end(self._ports, key, Ending.failed("launches_exhausted", message), point="run.end")
        return change.changed
