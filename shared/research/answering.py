"""What the workflow is answered: how the operation stands, and when to look again."""

from __future__ import annotations

from shared.contracts.operations import Operation, OperationStatus
from shared.contracts.research import ListenRequest, PollAnswer, PollRequest
from shared.operations.callbacks import callback_of
from shared.operations.stopping import Stopping
from shared.research import attempts
from shared.research.ports import Ports

AT_ONCE_SECONDS = 0.1
"""Somebody has told that there is something to look at, and nobody has looked since."""


class Answering:
    def __init__(self, ports: Ports, stopping: Stopping) -> None:
        self._ports, self._stopping = ports, stopping

    def answer(self, request: PollRequest | ListenRequest, operation: Operation) -> PollAnswer:
        """`superseded` for a fence that no longer holds. What is left of a cancel is finished on the way."""
        if operation.cancel_pending:
            self._stopping.finish(request.workspace, operation.id, execution=False)
        if operation.status is not OperationStatus.RUNNING:
            return PollAnswer(status=operation.status, next_poll_seconds=0.0)
        if operation.fence != request.fence:
            return PollAnswer(status="superseded", next_poll_seconds=0.0)
        return PollAnswer(status=operation.status, next_poll_seconds=self._wait_seconds(operation))

    def _wait_seconds(self, operation: Operation) -> float:
        cadence, attempt = self._ports.cadence, attempts.current(operation)
        if attempt is None or attempt.started_at is None:
            return cadence.wait_seconds(0.0, 0)
        if operation.wakes > operation.wakes_seen:
            return AT_ONCE_SECONDS
        now = self._ports.now()
        told = attempts.is_told(operation) and callback_of(operation, self._ports.settings) is not None
        wait = cadence.wait_seconds(attempts.age_seconds(attempt, now), attempt.polls, told=told)
        if operation.woken_at is None:
            return wait
        since = abs((now - operation.woken_at).total_seconds())  # clocks differ
        return cadence.soon_seconds(wait, since, attempt.polls)
