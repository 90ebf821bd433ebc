"""A run that may not spend: it is kept as it is, its time stands still, and it goes on by the sweep."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from shared.contracts.runs import AgentRun
from shared.runs.ports import Key, Ports
from shared.store.runs import missing
from shared.store.streams import Append
from shared.store.writes import Snapshot


def wait(ports: Ports, key: Key, *, launched: bool = False) -> AgentRun:
    """Note since when it waits; `launched` gives back the execution that has come for nothing.

    Raises NotFound, Transient.
    """

    def decide(run: AgentRun | None, found: Snapshot) -> Append | None:
        if run is None:
            raise missing(key.run_id)
        if run.status.terminal or (run.waits_since is not None and not launched):
            return None
        back = {"launches": max(0, run.launches - 1)} if launched else {}
        return Append({"waits_since": run.waits_since or found.read_time, "updated_at": ports.now(), **back})

    return ports.store(key.workspace).runs.append(key.run_id, decide, point="run.wait").run


def after_waiting(run: AgentRun, now: datetime) -> AgentRun:
    """The run as it goes on: what it has waited is no part of its time. To be stored with `on_time`."""
    if run.waits_since is None:
        return run
    waited = now - run.waits_since
    deadline = run.deadline_at + waited if run.deadline_at is not None else None
    return run.model_copy(update={"waits_since": None, "deadline_at": deadline})


def on_time(run: AgentRun) -> Mapping[str, Any]:
    """The fields that `after_waiting` may have changed."""
    return {"waits_since": run.waits_since, "deadline_at": run.deadline_at}
