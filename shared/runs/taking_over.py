"""What an execution says first: it takes the run over, unless a living one has it."""

from __future__ import annotations

from shared.contracts.runs import AgentRun
from shared.errors import Conflict
from shared.operations.executions import same_execution
from shared.runs.ports import Key, Ports
from shared.store.runs import missing
from shared.store.streams import Append
from shared.store.writes import Snapshot


class Superseded(Conflict):
    """Another execution has the run, or it has ended: this one does nothing more."""


def take_over(ports: Ports, key: Key, execution: str) -> AgentRun:
    """The run, claimed by `execution`; its fence is the number that the execution shows from then on.

    The same call again gives the same. Raises NotFound, Superseded.
    """

    def decide(run: AgentRun | None, _found: Snapshot) -> Append | None:
        held(run, key)
        assert run is not None
        mine = same_execution(run.execution, execution)
        if run.claimed and mine:
            return None
        if run.claimed:
            raise Superseded("Another execution has this run.")
        change = {"execution": execution, "claimed": True, "fence": run.fence + 1, "launch_expires_at": None}
        return Append({**change, "updated_at": ports.now()})

    return ports.store(key.workspace).runs.append(key.run_id, decide, point="run.claim").run


def held(run: AgentRun | None, key: Key, fence: int | None = None) -> AgentRun:
    """The run, as one that can be worked on. Raises NotFound, and Superseded when it has ended or the fence is old."""
    if run is None:
        raise missing(key.run_id)
    if run.status.terminal:
        raise Superseded(f"The run has ended ({run.status.value}).")
    if fence is not None and fence != run.fence:
        raise Superseded("Another execution has this run.")
    return run
