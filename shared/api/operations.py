"""The handlers of operations."""

from __future__ import annotations

from flask import Response

from shared.api import answers
from shared.api.route import Call
from shared.contracts.limits import PAGE_SIZE
from shared.contracts.operations import OperationAnswer, OperationsAnswer


def list_operations(call: Call) -> Response:
    operations, next_cursor = call.store.operations.list(**{"limit": PAGE_SIZE, **call.query})
    return answers.model(OperationsAnswer(operations=operations, next_cursor=next_cursor))


def get_operation(call: Call) -> Response:
    return answers.model(OperationAnswer(operation=call.store.operations.get(call.id)))


def cancel_operation(call: Call) -> Response:
    return answers.model(call.app.operations.cancel(call.principal.workspace, call.id))
