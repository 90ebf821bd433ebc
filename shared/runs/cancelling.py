"""Cancelling a run: the end is committed first, with the end of its open steps; workers stop because of it."""

from __future__ import annotations

import logging

from shared.contracts.runs import AgentRun, RunStatus
from shared.errors import MemexError
from shared.loop.workers import Workers
from shared.runs.ending import Ending, end
from shared.runs.ports import Key, Ports

log = logging.getLogger(__name__)


class Cancelling:
    def __init__(self, ports: Ports, workers: Workers) -> None:
        self._ports, self._workers = ports, workers

    def cancel(self, key: Key) -> tuple[AgentRun, bool]:
        """End the run; the run after it, and whether it had not ended before. Raises NotFound, Transient."""
        change = end(self._ports, key, Ending(RunStatus.CANCELLED, "cancelled"), point="run.cancel")
        if change.changed:
            self._stop(key, change.run)
        return change.run, change.changed

    def _stop(self, key: Key, run: AgentRun) -> None:
        """Workers here are cut at once, those elsewhere notice it within a second, and the execution ends."""
        for step in self._ports.store(key.workspace).runs.steps(key.run_id):
            self._workers.cut((key, step.id))
        if run.execution is None:
            return
        try:
            self._ports.executions.cancel(run.execution)
        except MemexError as error:
            log.warning("run %s: its execution ends by itself: %s", key.run_id, error.message)
