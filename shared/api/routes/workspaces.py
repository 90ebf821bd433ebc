"""The rows of workspaces: an operator makes them and names one in the address, its own people say `workspace`."""

from __future__ import annotations

from shared.api import workspaces
from shared.api.route import Route
from shared.contracts.members import MemberAnswer, MemberPut, MembersAnswer, Role
from shared.contracts.workspace_deletions import DeletionAnswer, DeletionCreate
from shared.contracts.workspaces_api import WorkspaceAnswer, WorkspaceCreate, WorkspacesAnswer

_DELETED = "It begins after seven days, or at once with `now`; until it begins it can be undone. What runs is ended."

ROUTES: tuple[Route, ...] = (
    Route(
        "POST",
        "/workspaces",
        workspaces.create_workspace,
        "Make a workspace, with its first owner.",
        answer=WorkspaceAnswer,
        status=201,
        body=WorkspaceCreate,
        role=Role.OPERATOR,
        anywhere=True,
    ),
    Route(
        "GET",
        "/workspaces",
        workspaces.list_workspaces,
        "The workspaces that the caller may come into; for an operator all there are.",
        answer=WorkspacesAnswer,
        operator=True,
        anywhere=True,
    ),
    Route(
        "GET",
        "/workspaces/{id}",
        workspaces.get_any_workspace,
        "What an operator sees of a workspace: its plan, and how far its deletion is.",
        answer=WorkspaceAnswer,
        role=Role.OPERATOR,
        anywhere=True,
    ),
    Route(
        "DELETE",
        "/workspaces/{id}",
        workspaces.delete_any_workspace,
        f"Delete a workspace with everything in it. {_DELETED}",
        answer=DeletionAnswer,
        status=202,
        body=DeletionCreate,
        body_required=False,
        role=Role.OPERATOR,
        anywhere=True,
    ),
    Route(
        "POST",
        "/workspaces/{id}/restore",
        workspaces.restore_any_workspace,
        "Undo the deletion of a workspace before it begins; again, it is a no-op.",
        answer=WorkspaceAnswer,
        role=Role.OPERATOR,
        anywhere=True,
    ),
    Route(
        "GET",
        "/workspace",
        workspaces.get_workspace,
        "The caller's workspace: its plan, and how far its deletion is, where one was asked for.",
        answer=WorkspaceAnswer,
    ),
    Route(
        "DELETE",
        "/workspace",
        workspaces.delete_workspace,
        f"Delete the workspace with everything in it. {_DELETED}",
        answer=DeletionAnswer,
        status=202,
        body=DeletionCreate,
        body_required=False,
        role=Role.OWNER,
    ),
    Route(
        "POST",
        "/workspace/restore",
        workspaces.restore_workspace,
        "Undo the deletion of the workspace before it begins; again, it is a no-op.",
        answer=WorkspaceAnswer,
        role=Role.OWNER,
    ),
    Route("GET", "/workspace/members", workspaces.list_members, "Who may come in, by email.", answer=MembersAnswer),
    Route(
        "PUT",
        "/workspace/members/{email}",
        workspaces.put_member,
        "Let a person in, or give them another role; the last owner stays one.",
        answer=MemberAnswer,
        body=MemberPut,
        role=Role.OWNER,
    ),
    Route(
        "DELETE",
        "/workspace/members/{email}",
        workspaces.remove_member,
        "Let a person in no more; the last owner stays.",
        status=204,
        role=Role.OWNER,
    ),
)
