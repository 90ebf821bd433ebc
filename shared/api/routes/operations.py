"""The rows of operations, routines, and what all of it has used."""

from __future__ import annotations

from shared.api import events, operations, parameters, plans, routines, usage
from shared.api.route import Route
from shared.contracts.events import EventsAnswer
from shared.contracts.operations import CancelAnswer, OperationAnswer, OperationsAnswer, PlanAnswer
from shared.contracts.plans import PlanApproval, PlanChange, PlanEdit
from shared.contracts.routines import RoutineRunAnswer
from shared.contracts.usage import UsageAnswer

_OPERATIONS_QUERY = (
    parameters.STATUS,
    parameters.OPERATION_KIND,
    parameters.SOURCE_NOTE,
    parameters.LIMIT,
    parameters.CURSOR,
)

ROUTES: tuple[Route, ...] = (
    Route(
        "GET",
        "/operations",
        operations.list_operations,
        "List operations, newest first.",
        answer=OperationsAnswer,
        query=_OPERATIONS_QUERY,
    ),
    Route("GET", "/operations/{id}", operations.get_operation, "An operation.", answer=OperationAnswer),
    Route(
        "POST",
        "/operations/{id}/cancel",
        operations.cancel_operation,
        "Cancel an operation, or drop the plan that waits in it; a no-op that says so when it has ended.",
        answer=CancelAnswer,
    ),
    Route(
        "PATCH",
        "/operations/{id}/plan",
        plans.edit_plan,
        "Change the words of a research plan that waits for approval.",
        answer=OperationAnswer,
        body=PlanEdit,
    ),
    Route(
        "POST",
        "/operations/{id}/plan",
        plans.change_plan,
        "Have another research plan made, with what is to be different in it.",
        answer=OperationAnswer,
        body=PlanChange,
    ),
    Route(
        "POST",
        "/operations/{id}/approve",
        plans.approve_plan,
        "Approve the research plan as it was shown: only then is its run paid for.",
        answer=PlanAnswer,
        body=PlanApproval,
    ),
    Route(
        "GET",
        "/operations/{id}/events",
        events.operation_events,
        "Follow an operation until it ends.",
        answer=EventsAnswer,
        query=parameters.EVENTS,
        stream=True,
    ),
    Route(
        "GET",
        "/usage",
        usage.get_usage,
        "What was used in a month, by kind, next to the workspace's quotas.",
        answer=UsageAnswer,
        query=(parameters.MONTH,),
    ),
    Route(
        "POST",
        "/routines/{kind}/run",
        routines.run_routine,
        "Write the digest of the day or the review of the week so far, or bring it up to date.",
        answer=RoutineRunAnswer,
    ),
)
