"""The service answers polls with errors: borne for a bounded time, then the operation fails."""

from __future__ import annotations

from shared.contracts.events import EventType
from shared.contracts.operations import Attempt, Operation
from shared.gateway.interactions import InteractionError
from shared.operations.ending import Ending, Last, closing
from shared.research import attempts
from shared.research.cadence import POLLS_PER_ATTEMPT
from shared.research.ports import Ports
from shared.store import guards
from shared.store.streams import Append
from shared.store.writes import Snapshot


def poll_failed(ports: Ports, workspace: str, polled: Operation, error: InteractionError) -> Operation:
    """Count the poll. The first error of a series is an event; a series that lasts too long ends the operation."""

    def decide(operation: Operation | None, found: Snapshot) -> Append | None:
        fields = found.fields or {}
        guards.running(fields)
        guards.fenced(fields, polled.fence)
        last = attempts.current(operation) if operation else None
        if operation is None or last is None:
            return None
        now = ports.now()
        since = last.failing_since or now
        changes = attempts.with_current(operation, polls=last.polls + 1, failing_since=since)
        update = {**changes, "attempts": operation.attempts + 1, "wakes_seen": max(operation.wakes_seen, polled.wakes)}
        first = ports.event(EventType.POLL_ERROR, code=error.reason, message=error.message)
        events = (first,) if last.failing_since is None else ()
        if (ending := _ending(ports, last, (now - since).total_seconds(), error)) is not None:
            return closing(ports, operation, ending, Last(update, events))
        return Append({**update, "updated_at": now}, events)

    return ports.store(workspace).operations.append(polled.id, decide, point="operation.poll_error").operation


def _ending(ports: Ports, attempt: Attempt, failing_seconds: float, error: InteractionError) -> Ending | None:
    settings = ports.settings
    if failing_seconds >= settings.research_error_limit_seconds:
        message = (
            f"The service has answered every question about the run with an error for "
            f"{failing_seconds / 60:.0f} minutes: {error.message}. Look at its status, then tag the note again."
        )
        return Ending.failed(error.reason, message)
    age = (ports.now() - (attempt.started_at or attempt.intent_at)).total_seconds()
    if age >= settings.research_deadline_seconds or attempt.polls >= POLLS_PER_ATTEMPT:
        message = (
            f"The research run had not ended after {age / 60:.0f} minutes, and could not be asked: {error.message}."
        )
        return Ending.failed("deadline", message)
    return None
