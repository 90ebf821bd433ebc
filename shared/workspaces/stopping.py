"""What runs in a workspace is ended before anything is taken away: paid work first of all."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from shared.contracts.operations import OperationStatus
from shared.contracts.runs import RunStatus
from shared.errors import MemexError, NotFound
from shared.workspaces.ports import Ports

log = logging.getLogger(__name__)

_AT_ONCE = 100


@dataclass(frozen=True)
class End:
    """Whether something was ended now, and whether it is known to have stopped outside too."""

    ended: bool
    known: bool = True


@dataclass
class Stopped:
    """What one pass has ended, and what may still run after it, each with a sentence."""

    ended: int = 0
    left: list[str] = field(default_factory=list)

    def count(self, name: str, end: End) -> None:
        self.ended += end.ended
        if not end.known:
            self.left.append(f"{name} was ended, and what it began outside may still run.")


class Stopping:
    def __init__(self, ports: Ports) -> None:
        self._ports, self._work = ports, ports.work

    def stop(self, workspace: str) -> Stopped:
        """End operations, runs, turns and the drain of the brain; safe to repeat, and at two places at once."""
        stopped = Stopped()
        for name, end in self._running(workspace):
            try:
                stopped.count(name, end())
            except NotFound:
                continue
            except MemexError as error:
                log.warning("workspace %s: %s may still run: %s", workspace, name, error.message)
                stopped.left.append(f"{name} may still run: {error.message}")
        return stopped

    def _running(self, workspace: str) -> Iterator[tuple[str, Callable[[], End]]]:
        for one in self._operations(workspace):
            yield f"The operation {one}", partial(self._end_operation, workspace, one)
        for one in self._runs(workspace):
            yield f"The run {one}", partial(self._end_run, workspace, one)
        for one in self._turns(workspace):
            yield f"The chat {one}", partial(self._end_turn, workspace, one)
        yield "The work of the brain", partial(self._end_drain, workspace)

    def _operations(self, workspace: str) -> list[str]:
        operations = self._work.store(workspace).operations
        living = [status.value for status in OperationStatus if not status.terminal]
        found = [one.id for status in living for one in operations.list(status=status, limit=_AT_ONCE)[0]]
        return [*found, *operations.half_cancelled(_AT_ONCE)]

    def _runs(self, workspace: str) -> list[str]:
        runs = self._work.store(workspace).runs
        living = [status.value for status in RunStatus if not status.terminal]
        return [one.id for status in living for one in runs.list(status=status, limit=_AT_ONCE)[0]]

    def _turns(self, workspace: str) -> Iterator[str]:
        chats, cursor = self._work.store(workspace).chats, None
        while True:
            sessions, cursor = chats.list(limit=_AT_ONCE, cursor=cursor)
            yield from (one.id for one in sessions if one.turn is not None)
            if cursor is None:
                return

    def _end_run(self, workspace: str, run_id: str) -> End:
        return End(self._work.cancel_run(workspace, run_id).cancelled)

    def _end_turn(self, workspace: str, session_id: str) -> End:
        return End(self._work.cancel_turn(workspace, session_id).cancelled)

    def _end_operation(self, workspace: str, operation_id: str) -> End:
        answer = self._work.cancel_operation(workspace, operation_id)
        return End(answer.cancelled, known=not answer.operation.cancel_pending)

    def _end_drain(self, workspace: str) -> End:
        lease, _ = self._work.store(workspace).brain_drain.change(lambda *_: None, point="workspace.stop")
        if lease.execution is None or not self._ports.executions.alive(lease.execution):
            return End(ended=False)
        self._ports.executions.cancel(lease.execution)
        return End(ended=True)
