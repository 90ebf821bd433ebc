"""A run gets the execution of workflows/agent_run.yaml that drives it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from shared.contracts.run_calls import RunArgument
from shared.contracts.runs import AgentRun
from shared.errors import MemexError, Transient
from shared.operations import launch
from shared.runs.ending import Ending, end
from shared.runs.ports import Key, Ports
from shared.runs.waiting import wait
from shared.store.runs import DecideRun, RunChange, missing
from shared.store.streams import Append
from shared.store.writes import Snapshot

WORKFLOW = "agent_run"


class Launching:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def ensure(self, key: Key, *, dead: str | None = None) -> bool:
        """See `launch.ensure`; whether one was started. A run whose executions all died fails. Raises NotFound too.

        While spending is paused none is.
        """
        if self._ports.paused(key.workspace):
            wait(self._ports, key)
            return False
        return launch.ensure(self._ports.executions, _Launch(self._ports, key), dead=dead) is not None

    def await_or_ensure(self, key: Key) -> bool:
        """`ensure`, with patience."""
        return launch.with_patience(self._ports.clock, lambda: self.ensure(key))


class _Launch:
    """One run, as its launch sees it."""

    workflow = WORKFLOW

    def __init__(self, ports: Ports, key: Key) -> None:
        self._ports, self._key = ports, key
        self._traceparent = ""

    @property
    def argument(self) -> Mapping[str, Any]:
        named = RunArgument(workspace=self._key.workspace, run_id=self._key.run_id).model_dump()
        return {**named, "traceparent": self._traceparent} if self._traceparent else named

    def leased(self, dead: str | None) -> datetime | None:
        hopeless: list[AgentRun] = []

        def decide(run: AgentRun | None, found: Snapshot) -> Append | None:
            hopeless.clear()
            if run is None:
                raise missing(self._key.run_id)
            taken = launch.lease(run, found.read_time, seconds=self._ports.settings.launch_lease_seconds, dead=dead)
            if taken is None:
                return None
            if run.launches >= launch.LAUNCHES:
                hopeless.append(run)
                return None
            counted = {"launches": run.launches + 1, "claimed": False, "updated_at": self._ports.now()}
            return Append({**taken, **counted})

        change = self._append(decide, "run.lease")
        if hopeless:
            self._end("launches_exhausted", launch.EXHAUSTED)
        self._traceparent = change.run.traceparent
        return change.run.launch_expires_at if change.changed else None

    def launched(self, name: str) -> None:
        def decide(run: AgentRun | None, _found: Snapshot) -> Append | None:
            if run is None or run.status.terminal or run.claimed:
                return None  # whoever was started has said so himself
            return Append({"execution": name, "launch_expires_at": None})

        self._append(decide, "run.launched")

    def postponed(self, until: datetime, error: Transient) -> None:
        """The launch does not count."""
        del error  # whoever hears of the run comes again, and logs why

        def decide(run: AgentRun | None, _found: Snapshot) -> Append | None:
            back = launch.returned(run, until)
            return None if run is None or back is None else Append({**back, "launches": run.launches - 1})

        self._append(decide, "run.postponed")

    def impossible(self, error: MemexError) -> None:
        self._end(f"start_{error.code}", error.message)

    def _append(self, decide: DecideRun, point: str) -> RunChange:
        return self._ports.store(self._key.workspace).runs.append(self._key.run_id, decide, point=point)

    def _end(self, code: str, message: str) -> None:
        end(self._ports, self._key, Ending.failed(code, message), point="run.end")
