"""The handlers of approvals."""

from __future__ import annotations

from flask import Response

from shared.api import answers
from shared.api.route import Call
from shared.contracts.approvals import ApprovalAnswer, ApprovalsAnswer
from shared.contracts.limits import PAGE_SIZE


def list_approvals(call: Call) -> Response:
    approvals, next_cursor = call.store.approvals.list(**{"limit": PAGE_SIZE, **call.query})
    return answers.model(ApprovalsAnswer(approvals=approvals, next_cursor=next_cursor))


def get_approval(call: Call) -> Response:
    return answers.model(ApprovalAnswer(approval=call.store.approvals.get(call.id), changed=False))


def approve_approval(call: Call) -> Response:
    return answers.model(call.app.deciding(call.principal.workspace).approve(call.id))


def reject_approval(call: Call) -> Response:
    return answers.model(call.app.deciding(call.principal.workspace).reject(call.id))
