"""One look at the run: what is new becomes events, and the last look ends the operation."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

from shared.contracts.events import EventType
from shared.contracts.operations import Attempt, Operation, OperationStatus
from shared.contracts.research import PollAnswer, PollRequest
from shared.errors import InputError, SpendingPaused
from shared.faultpoint import faultpoint
from shared.gateway.interactions import Interaction, InteractionError
from shared.operations.ending import Ending, Last, closing
from shared.operations.waiting import wait
from shared.research import attempts, results
from shared.research.answering import Answering
from shared.research.cadence import POLLS_PER_ATTEMPT
from shared.research.creating import Creating
from shared.research.planning.proposing import Proposal
from shared.research.poll_errors import poll_failed
from shared.research.ports import Ports
from shared.research.progress import output_steps, progress, usage_of
from shared.research.statuses import HARD_FAILURE_CODE, Decision, Verdict, verdict
from shared.store import guards
from shared.store.streams import Append
from shared.store.writes import Snapshot

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Look:
    """One answer of the service about the current attempt, and what it means."""

    workspace: str
    operation: Operation
    attempt: Attempt
    interaction: Interaction
    verdict: Verdict


class Polling:
    def __init__(self, ports: Ports, creating: Creating, answering: Answering) -> None:
        self._ports, self._creating, self._answering = ports, creating, answering

    def poll(self, request: PollRequest) -> PollAnswer:
        """Look once, at most one GET. Errors of the service are answered with `running`, for a bounded time.

        `superseded` for a fence that no longer holds. Raises NotFound, and Transient when to call again.
        """
        operation = self._ports.store(request.workspace).operations.get(request.operation_id)
        if operation.status is not OperationStatus.RUNNING or operation.fence != request.fence:
            return self._answering.answer(request, operation)
        try:
            operation = self._advance(request.workspace, operation)
        except SpendingPaused:
            wait(self._ports, request.workspace, request.operation_id, launched=True)
            return PollAnswer(status="paused", next_poll_seconds=0.0)
        except (guards.FenceLost, guards.StreamEnded):
            operation = self._ports.store(request.workspace).operations.get(request.operation_id)
        return self._answering.answer(request, operation)

    def _advance(self, workspace: str, operation: Operation) -> Operation:
        attempt = attempts.current(operation)
        if attempt is None or attempt.interaction_id is None or not attempts.is_running(attempt):
            return self._creating.ensure(workspace, operation)
        faultpoint("before_call:interactions.get")
        try:
            interaction = self._ports.interactions.get(attempt.interaction_id)
            if not interaction.status:
                raise InteractionError("malformed", "The service's answer has no status.", sent=True)
        except InteractionError as error:
            return poll_failed(self._ports, workspace, operation, error)
        faultpoint("after_call:interactions.get")
        look = _Look(workspace, operation, attempt, interaction, verdict(interaction.status))
        if look.verdict.decision is Decision.WAIT and not self._too_long(attempt):
            return self._commit(look, None)
        if self._is_hard_failure(look):
            operation = self._commit(look, None)
            return self._creating.ensure(workspace, operation)
        ending = self._planned(look) if look.attempt.planning else self._ending(look)
        try:
            return self._commit(look, ending)
        except InputError as error:
            if isinstance(ending, Proposal) or ending.note is None:
                raise
            log.error("operation %s: its report is refused: %s", operation.id, error.message)
            return self._commit(look, results.beginning(ending.note), events=False)

    def _too_long(self, attempt: Attempt) -> bool:
        age = attempts.age_seconds(attempt, self._ports.now())
        return age >= self._ports.settings.research_deadline_seconds or attempt.polls >= POLLS_PER_ATTEMPT

    def _is_hard_failure(self, look: _Look) -> bool:
        """Whether the run failed as runs do while they write their report, for the first time in this operation."""
        if look.interaction.status != "failed" or attempts.retried_after_failure(look.operation):
            return False
        return HARD_FAILURE_CODE in _error_codes(look.interaction)

    def _planned(self, look: _Look) -> Proposal | Ending:
        """The plan that was made; without one the operation ends, and nothing of it is a report."""
        if look.verdict.decision is not Decision.REPORT:
            return self._ending(replace(look, interaction=replace(look.interaction, steps=())))
        proposal = Proposal.of(self._ports, look.workspace, look.interaction.steps)
        return proposal or Ending.failed("no_plan", "The service made a plan without a word. Ask for it again.")

    def _ending(self, look: _Look) -> Ending:
        """How the operation ends with this look."""
        found = results.result(self._ports, look.workspace, look.operation, look.interaction.steps)
        if look.verdict.decision is Decision.CANCELLED:
            partial = results.kept(self._ports, look.operation, found)
            return Ending.cancelled(look.verdict.code, look.verdict.message, partial)
        if look.verdict.decision is Decision.REPORT:
            return results.judged(self._ports, look.operation, found)
        code, message = look.verdict.code, look.verdict.message
        if look.verdict.decision is Decision.WAIT:
            minutes = self._ports.settings.research_deadline_seconds / 60
            code = "deadline"
            message = (
                f"The research run had not ended after {minutes:g} minutes. Narrow the note's question, tag it again."
            )
        for error_code, error_message in look.interaction.errors[:1]:
            message += f" The service says: {error_message} (code {error_code})."
        return results.failed(self._ports, look.operation, found, code, message)

    def _commit(self, look: _Look, ending: Ending | Proposal | None, *, events: bool = True) -> Operation:
        """Store what the look brought; with an ending, everything in the one closing commit. Raises InputError."""

        def decide(operation: Operation | None, found: Snapshot) -> Append | None:
            fields = found.fields or {}
            guards.running(fields)
            guards.fenced(fields, look.operation.fence)
            last = attempts.current(operation) if operation else None
            if operation is None or last is None or last.n != look.attempt.n:
                return None
            brought = self._brought(look, operation, last)
            brought = brought if events else replace(brought, events=())
            if ending is None:
                return Append({**brought.update, "updated_at": self._ports.now()}, brought.events)
            if isinstance(ending, Proposal):
                return ending.commit(self._ports, operation, brought)
            return closing(self._ports, operation, ending, brought)

        point = {Ending: "operation.end", Proposal: "operation.plan_proposed"}.get(type(ending), "operation.polled")
        return self._ports.store(look.workspace).operations.append(look.operation.id, decide, point=point).operation

    def _brought(self, look: _Look, operation: Operation, last: Attempt) -> Last:
        """Events of the steps that nobody has told of, and the attempt with its counts."""
        told = progress(look.interaction.steps, last.steps_seen, ended=look.verdict.ended)
        events = [self._ports.event(kind, **data) for kind, data in told.events]
        if not look.verdict.known and not last.unknown_status_reported:
            events.append(self._ports.event(EventType.STATUS, status=look.interaction.status[:100], known=False))
        usage = usage_of(look.interaction.usage, output_steps(look.interaction.steps))
        changes = attempts.with_current(
            operation,
            status=look.interaction.status[:100],
            polls=last.polls + 1,
            steps_seen=told.steps_seen,
            failing_since=None,
            unknown_status_reported=last.unknown_status_reported or not look.verdict.known,
            usage=usage,
        )
        total = attempts.total(operation, usage).model_dump()
        seen = max(operation.wakes_seen, look.operation.wakes)  # one that came while the service answered is not seen
        counts = {"attempts": operation.attempts + 1, "usage": total, "wakes_seen": seen}
        return Last({**changes, **counts}, tuple(events))


def _error_codes(interaction: Interaction) -> set[str]:
    """Codes in errors[] and in the error of a model_output step."""
    codes = {code for code, _ in interaction.errors}
    for step in interaction.steps:
        error = step.get("error") if step.get("type") == "model_output" else None
        if isinstance(error, dict):
            codes.add(str(error.get("code")))
    return codes
