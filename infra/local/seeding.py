"""What is there before anyone writes: the local workspace has the plan with everything in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import grpc

from infra.local.environment import Place
from infra.local.rpc import RpcError
from shared.contracts.workspaces import Plan, Workspace

if TYPE_CHECKING:
    from infra.local.firestore.inside import Inside

LOCAL_WORKSPACE = Workspace(name="Demo", plan=Plan.PRO)


def seed(inside: Inside, place: Place) -> None:
    """Create the workspace's document where there is none; one that somebody has changed stays as it is."""
    from infra.local.console.typed import read_fields
    from infra.local.firestore import wire

    database = f"projects/{place.project}/databases/(default)"
    fields = read_fields(LOCAL_WORKSPACE.model_dump(mode="json"), database)
    try:
        inside.create(f"{database}/documents", "workspaces", place.workspace, wire.Document(fields=fields))
    except RpcError as error:
        if error.code is not grpc.StatusCode.ALREADY_EXISTS:
            raise
