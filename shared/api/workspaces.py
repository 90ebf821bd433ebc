"""The handlers of workspaces, of their members, and of their deletion."""

from __future__ import annotations

from flask import Response

from shared.api import answers, request
from shared.api.route import Call
from shared.contracts.members import MemberAnswer, MemberPut, MembersAnswer, Role, email_of
from shared.contracts.workspace_deletions import DeletionAnswer, DeletionCreate
from shared.contracts.workspaces_api import WorkspaceAnswer, WorkspaceCreate, WorkspacesAnswer
from shared.errors import InputError


def create_workspace(call: Call) -> Response:
    wanted = request.body(call.request, WorkspaceCreate)
    return answers.model(WorkspaceAnswer(workspace=call.app.workspaces.create(wanted, call.principal.name)), 201)


def list_workspaces(call: Call) -> Response:
    """All for an operator; for others those that they may come into."""
    workspaces, principal = call.app.workspaces, call.principal
    if principal.role is Role.OPERATOR:
        return answers.model(WorkspacesAnswer(workspaces=workspaces.all()))
    if principal.email:
        return answers.model(WorkspacesAnswer(workspaces=workspaces.of_person(principal.email)))
    return answers.model(WorkspacesAnswer(workspaces=workspaces.of_token(principal.workspace, principal.role)))


def get_workspace(call: Call) -> Response:
    own = call.principal.workspace
    return answers.model(WorkspaceAnswer(workspace=call.app.workspaces.show(own, own=True)))


def get_any_workspace(call: Call) -> Response:
    return answers.model(WorkspaceAnswer(workspace=call.app.workspaces.show(call.id)))


def delete_workspace(call: Call) -> Response:
    return _deleted(call, call.principal.workspace)


def delete_any_workspace(call: Call) -> Response:
    return _deleted(call, call.id)


def restore_workspace(call: Call) -> Response:
    return answers.model(WorkspaceAnswer(workspace=call.app.workspaces.restore(call.principal.workspace)))


def restore_any_workspace(call: Call) -> Response:
    return answers.model(WorkspaceAnswer(workspace=call.app.workspaces.restore(call.id)))


def list_members(call: Call) -> Response:
    return answers.model(MembersAnswer(members=call.store.members.list()))


def put_member(call: Call) -> Response:
    wanted = request.body(call.request, MemberPut)
    return answers.model(MemberAnswer(member=call.store.members.put(_email(call), wanted.role, call.principal.name)))


def remove_member(call: Call) -> Response:
    call.store.members.remove(_email(call))
    return answers.empty()


def _deleted(call: Call, workspace: str) -> Response:
    wanted = request.body(call.request, DeletionCreate) if call.request.content_length else DeletionCreate()
    deletion = call.app.workspaces.delete(workspace, by=call.principal.name, now=wanted.now)
    return answers.model(DeletionAnswer(deletion=deletion), 202)


def _email(call: Call) -> str:
    try:
        return email_of(call.ids["email"])
    except ValueError as error:
        raise InputError(f"email: {error}", field="email") from error
