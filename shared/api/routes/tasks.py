"""The rows of tasks, and the changes that wait for a decision."""

from __future__ import annotations

from shared.api import approvals, parameters, tasks
from shared.api.route import Route
from shared.contracts.approvals import ApprovalAnswer, ApprovalEdit, ApprovalsAnswer, ApprovalSeen
from shared.contracts.tasks import TaskAnswer, TaskCreate, TaskPatch, TasksAnswer

ROUTES: tuple[Route, ...] = (
    Route(
        "POST",
        "/tasks",
        tasks.create_task,
        "Add a task. 200 when the idempotency key found it stored.",
        answer=TaskAnswer,
        status=201,
        body=TaskCreate,
        idempotent_key=True,
    ),
    Route(
        "GET",
        "/tasks",
        tasks.list_tasks,
        "List tasks: open ones by due day, those without one last; then done ones, newest first.",
        answer=TasksAnswer,
        query=(parameters.DONE, parameters.DUE_BEFORE, parameters.LIMIT, parameters.CURSOR),
    ),
    Route("GET", "/tasks/{id}", tasks.get_task, "A task.", answer=TaskAnswer),
    Route("PATCH", "/tasks/{id}", tasks.patch_task, "Change what is given.", answer=TaskAnswer, body=TaskPatch),
    Route("DELETE", "/tasks/{id}", tasks.delete_task, "Delete a task.", status=204),
    Route(
        "GET",
        "/approvals",
        approvals.list_approvals,
        "List changes that were proposed, newest first.",
        answer=ApprovalsAnswer,
        query=(parameters.APPROVAL_STATUS, parameters.LIMIT, parameters.CURSOR),
    ),
    Route("GET", "/approvals/{id}", approvals.get_approval, "A proposed change.", answer=ApprovalAnswer),
    Route(
        "POST",
        "/approvals/{id}/approve",
        approvals.approve_approval,
        "Make the change exactly as shown, once; 409 when its target changed since, or it was edited since shown.",
        answer=ApprovalAnswer,
        body=ApprovalSeen,
        body_required=False,
    ),
    Route(
        "PATCH",
        "/approvals/{id}",
        approvals.edit_approval,
        "Change the arguments before deciding; the answer shows what they would change.",
        answer=ApprovalAnswer,
        body=ApprovalEdit,
    ),
    Route(
        "POST",
        "/approvals/{id}/reject",
        approvals.reject_approval,
        "Decide against it; a no-op that says so when it was decided.",
        answer=ApprovalAnswer,
    ),
)
