"""The handlers of approvals."""

from __future__ import annotations

from flask import Response

from shared.api import answers, request
from shared.api.route import Call
from shared.contracts.approvals import ApprovalAnswer, ApprovalEdit, ApprovalsAnswer, ApprovalSeen
from shared.contracts.limits import PAGE_SIZE


def list_approvals(call: Call) -> Response:
    approvals, next_cursor = call.store.approvals.list(**{"limit": PAGE_SIZE, **call.query})
    return answers.model(ApprovalsAnswer(approvals=approvals, next_cursor=next_cursor))


def get_approval(call: Call) -> Response:
    return answers.model(ApprovalAnswer(approval=call.store.approvals.get(call.id), changed=False))


def approve_approval(call: Call) -> Response:
    seen = request.body(call.request, ApprovalSeen).edits if call.request.content_length else None
    return answers.model(call.app.deciding(call.principal.workspace).approve(call.id, seen))


def edit_approval(call: Call) -> Response:
    wanted = request.body(call.request, ApprovalEdit)
    return answers.model(call.app.deciding(call.principal.workspace).edit(call.id, wanted))


def reject_approval(call: Call) -> Response:
    return answers.model(call.app.deciding(call.principal.workspace).reject(call.id))
