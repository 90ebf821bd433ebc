"""The handlers of tasks."""

from __future__ import annotations

from flask import Response

from shared.api import answers, request
from shared.api.route import Call
from shared.contracts.limits import PAGE_SIZE
from shared.contracts.tasks import TaskAnswer, TaskCreate, TaskPatch, TasksAnswer
from shared.store.tasks import TasksWanted
from shared.tasks.create import create
from shared.tasks.patch import patch


def create_task(call: Call) -> Response:
    key = request.idempotency_key(call.request)
    wanted = request.body(call.request, TaskCreate)
    made = create(call.store, wanted, clock=call.app.clock, ids=call.app.ids, key=key)
    return answers.model(TaskAnswer(task=made.task), 201 if made.created else 200)


def list_tasks(call: Call) -> Response:
    page = call.store.tasks.list(TasksWanted(**{"limit": PAGE_SIZE, **call.query}))
    return answers.model(TasksAnswer(tasks=page.tasks, next_cursor=page.next_cursor))


def get_task(call: Call) -> Response:
    return answers.model(TaskAnswer(task=call.store.tasks.get(call.id)))


def patch_task(call: Call) -> Response:
    change = request.body(call.request, TaskPatch)
    return answers.model(TaskAnswer(task=patch(call.store, call.id, change, clock=call.app.clock)))


def delete_task(call: Call) -> Response:
    call.store.tasks.delete(call.id)
    return answers.empty()
