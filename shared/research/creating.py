"""The one paid call. Its intent is stored before, its id right after; it is sent once for each intent.

The API has no idempotency key and no list, so a create whose answer was lost can neither be repeated safely nor found:
it is tried again once, and counted. What can be named and is not wanted any more is cancelled at once.
"""

from __future__ import annotations

import logging
from http import HTTPStatus

from shared.contracts.events import EventType
from shared.contracts.operations import Attempt, Failure, Operation, OperationStatus
from shared.errors import BudgetExceeded, Conflict, MemexError, NotFound, Transient
from shared.faultpoint import faultpoint
from shared.gateway.interactions import InteractionError
from shared.operations.ending import Ending, Last, closing, end
from shared.research import attempts
from shared.research.budget import set_aside, set_aside_for_plan
from shared.research.planning.choosing import NO_PLANS
from shared.research.planning.phase import makes_plan
from shared.research.planning.requesting import PREVIOUS
from shared.research.ports import Ports
from shared.research.prompt import Asked, Prompts
from shared.research.tags import wanted
from shared.store import guards
from shared.store.streams import Append
from shared.store.writes import Snapshot

log = logging.getLogger(__name__)

_INTENT_FACTOR = 1.5
"""An intent lives longer than its create may take, by what clocks differ and instances stall."""

_CREATES_LOST = 2
_WEBHOOK_REFUSED = "webhook_refused"
_PLAN_GONE = "The service may have forgotten the plan, which goes with the request word by word instead."

_HELP = {
    400: "The service refuses the request: is RESEARCH_AGENT right?",
    401: "The service does not accept the credentials: set GEMINI_API_KEY, or application-default credentials.",
    403: "The service does not let these credentials in: is the API enabled in the project?",
    404: "The service does not know the agent: is RESEARCH_AGENT right, and offered in this project?",
}


class Creating:
    def __init__(self, ports: Ports, prompts: Prompts) -> None:
        self._ports, self._prompts = ports, prompts

    def ensure(self, workspace: str, operation: Operation) -> Operation:
        """The operation with an interaction, made if the current attempt has none; or as it ended.

        Only for the holder of `operation.fence`. Raises FenceLost, SpendingPaused, and Transient when to come again.
        """
        if operation.status is not OperationStatus.RUNNING or attempts.is_running(attempts.current(operation)):
            return operation
        self._ports.check_spending(workspace)
        if (ended := self._impossible(workspace, operation)) is not None:
            return ended
        asked = self._asked(workspace, operation)
        intended = self._intend(workspace, operation, asked)
        mine = attempts.current(intended)
        if intended.status is not OperationStatus.RUNNING or mine is None or mine.interaction_id is not None:
            return intended
        if (ended := self._unwanted(workspace, intended)) is not None:
            return ended
        body = asked.body
        if mine.webhook:
            body |= {"webhook_config": {"uris": [self._ports.settings.webhook_address]}}
        faultpoint("before_call:interactions.create")
        try:
            interaction_id = self._ports.interactions.create(
                body, deadline_seconds=self._ports.settings.research_create_timeout_seconds
            )
        except InteractionError as error:
            return self._not_created(workspace, intended, mine, error, chained=PREVIOUS in body)
        faultpoint("after_call:interactions.create")
        return self._created(workspace, intended, mine, interaction_id)

    def _impossible(self, workspace: str, operation: Operation) -> Operation | None:
        """The failed operation where there is no room for what it may cost, or a plan is wanted that nobody makes."""
        planning = makes_plan(operation)
        try:
            if planning and not self._ports.settings.makes_plans:
                ending = Ending.failed("plan_unavailable", f"{NO_PLANS} Ask for research without a plan.")
                return end(self._ports, workspace, operation.id, ending, fence=operation.fence).operation
            (set_aside_for_plan if planning else set_aside)(self._ports, workspace, operation.id)
        except BudgetExceeded as refusal:
            ending = Ending.failed(refusal.code, refusal.message)
            return end(self._ports, workspace, operation.id, ending, fence=operation.fence).operation
        return None

    def _asked(self, workspace: str, operation: Operation) -> Asked:
        try:
            return self._prompts.asked(workspace, operation)
        except NotFound:
            return Asked({})  # the note is gone: `_unwanted` sees that too, before anything is sent

    def _intend(self, workspace: str, operation: Operation, asked: Asked) -> Operation:
        """Commit a new attempt. Raises Transient while another caller's create may be under way."""
        seconds = self._ports.settings.research_create_timeout_seconds * _INTENT_FACTOR

        def decide(now_stored: Operation | None, found: Snapshot) -> Append | None:
            if now_stored is None:
                raise NotFound(f"There is no operation {operation.id}.")
            last = attempts.current(now_stored)
            if now_stored.status is not OperationStatus.RUNNING or attempts.is_running(last):
                return None
            guards.fenced(found.fields or {}, operation.fence)
            if wait := attempts.under_way(last, found.read_time):
                raise Transient("The research run is just being created.", retry_after_seconds=min(wait, 10.0) + 1)
            given_up = last is not None and last.interaction_id is None and last.status != attempts.REFUSED
            if given_up and attempts.lost(now_stored) >= _CREATES_LOST:
                return self._lost_twice(now_stored)
            what = {"planning": makes_plan(now_stored), "note_digest": asked.note_digest}
            webhook = self._wakes(now_stored)
            after = attempts.intended(now_stored, found.read_time, seconds, webhook=webhook, **what)
            retried = after[-1].reason != attempts.FIRST and (last is None or last.status != attempts.REFUSED)
            event = self._ports.event(EventType.INTERACTION_RETRIED, reason=after[-1].reason, attempt=after[-1].n)
            update = {
                "interactions": attempts.as_stored(after),
                "interaction_id": None,
                "updated_at": self._ports.now(),
            }
            return Append(update, (event,) if retried else ())

        store = self._ports.store(workspace)
        return store.operations.append(operation.id, decide, point="operation.intend").operation

    def _wakes(self, operation: Operation) -> bool:
        """Whether the service is asked to tell of the end; not again where it refused a request that asked so."""
        refused = operation.error is not None and operation.error.code == _WEBHOOK_REFUSED
        return self._ports.settings.early_wake and not refused

    def _lost_twice(self, operation: Operation) -> Append:
        message = (
            "The service was asked twice for a research run and gave no id either time. Whether a run was begun, and "
            "billed, only its console can tell. Tag the note again later."
        )
        lost = Last(attempts.with_current(operation, status=attempts.LOST))
        return closing(self._ports, operation, Ending.failed("create_lost", message), lost)

    def _unwanted(self, workspace: str, operation: Operation) -> Operation | None:
        """The note is looked at once more before money is spent: the cancelled operation if it is not wanted now."""
        reading = self._ports.store(workspace).notes.find(operation.source_note_id)
        if reading is not None and (operation.asked_by != "tag" or wanted(reading)):
            return None
        code = "note_gone" if reading is None else "untagged"
        what = "was deleted" if reading is None else "lost its tag"
        ending = Ending.cancelled(code, f"The note {what} before the research had begun, so it was not begun.")
        return end(self._ports, workspace, operation.id, ending, fence=operation.fence).operation

    def _created(self, workspace: str, operation: Operation, mine: Attempt, interaction_id: str) -> Operation:
        def decide(now_stored: Operation | None, found: Snapshot) -> Append | None:
            fields = found.fields or {}
            guards.running(fields)
            guards.fenced(fields, operation.fence)
            last = attempts.current(now_stored) if now_stored else None
            if now_stored is None or last is None or last.n != mine.n or last.status != attempts.CREATING:
                raise Conflict("Another attempt has taken this one's place.")
            now = self._ports.now()
            changes = attempts.with_current(
                now_stored, interaction_id=interaction_id, started_at=now, status="in_progress"
            )
            event = self._ports.event(EventType.INTERACTION_STARTED, interaction_id=interaction_id, attempt=mine.n)
            update = {**changes, "interaction_id": interaction_id, "error": None, "updated_at": now}
            return Append(update, (event,))

        store = self._ports.store(workspace)
        try:
            return store.operations.append(operation.id, decide, point="operation.interaction").operation
        except Transient:
            # Nobody knows whether the commit came through, so the run may be wanted and is not cancelled.
            log.error("operation %s: the run %s, unless stored, counts as lost", operation.id, interaction_id)
            raise
        except MemexError as error:  # whatever it is, the commit was refused
            self._cancel_orphan(workspace, operation, interaction_id, error)
            if isinstance(error, Conflict) and not isinstance(error, guards.StreamEnded | guards.FenceLost):
                raise Transient("Another attempt has taken this one's place.") from error
            raise

    def _cancel_orphan(self, workspace: str, operation: Operation, interaction_id: str, why: MemexError) -> None:
        """Nobody owns this run: stop it now, or leave its name where the sweep finds it."""
        log.warning(
            "operation %s: cancelling the run %s that came too late: %s", operation.id, interaction_id, why.message
        )
        try:
            self._ports.interactions.cancel(interaction_id)
        except InteractionError:
            self._leave_for_the_sweep(workspace, operation, interaction_id)

    def _leave_for_the_sweep(self, workspace: str, operation: Operation, interaction_id: str) -> None:
        def decide(now_stored: Operation | None, _found: Snapshot) -> Append | None:
            last = attempts.current(now_stored) if now_stored else None
            if now_stored is None or not now_stored.status.terminal or last is None or last.interaction_id is not None:
                return None
            changes = attempts.with_current(now_stored, interaction_id=interaction_id, status="orphaned")
            return Append({**changes, "cancel_pending": True})

        try:
            operations = self._ports.store(workspace).operations
            left = operations.append(operation.id, decide, point="operation.orphan").changed
        except MemexError:
            left = False
        if not left:
            log.error("operation %s: the run %s could not be cancelled and goes on", operation.id, interaction_id)

    def _not_created(
        self, workspace: str, operation: Operation, mine: Attempt, error: InteractionError, *, chained: bool
    ) -> Operation:
        """Store what became of the attempt; one that only its webhook may have spoilt is made anew without.

        So is, after that, one that continues an interaction which the service may have forgotten. Raises Transient
        unless the operation ended with it.
        """
        status = attempts.LOST if error.sent else attempts.REFUSED
        webhook = mine.webhook and error.http_status == HTTPStatus.BAD_REQUEST  # it may be the webhook that is refused
        gone = chained and not webhook and error.http_status in (HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND)
        unlike = webhook or gone

        def decide(now_stored: Operation | None, found: Snapshot) -> Append | None:
            last = attempts.current(now_stored) if now_stored else None
            if now_stored is None or now_stored.status.terminal or last is None or last.n != mine.n:
                return None
            guards.fenced(found.fields or {}, operation.fence)
            changes = attempts.with_current(now_stored, status=status)
            if error.permanent and not unlike:
                message = f"{error.message}. {_HELP.get(error.http_status, 'The service refuses the request.')}"
                return closing(self._ports, now_stored, Ending.failed(error.reason, message), Last(changes))
            if gone and now_stored.plan is not None:
                detached = now_stored.plan.model_copy(update={"detached": True}).model_dump()
                event = self._ports.event(EventType.PLAN_GONE, message=f"{error.message}. {_PLAN_GONE}")
                return Append({**changes, "plan": detached, "updated_at": self._ports.now()}, (event,))
            failure = Failure(code=_WEBHOOK_REFUSED if webhook else f"create_{error.reason}", message=error.message)
            return Append({**changes, "error": failure.model_dump(), "updated_at": self._ports.now()})

        store = self._ports.store(workspace)
        change = store.operations.append(operation.id, decide, point="operation.not_created")
        if change.operation.status.terminal:
            return change.operation
        if unlike:
            return self.ensure(workspace, change.operation)
        message = f"The research run could not be created: {error.message}"
        raise Transient(message, retry_after_seconds=error.retry_after_seconds) from error
