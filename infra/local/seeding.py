"""What is there before anyone writes: the local workspace has the plan with everything in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import grpc

from infra.local.environment import Place
from infra.local.rpc import RpcError
from shared.contracts.workspaces import Plan, Quotas, Workspace

if TYPE_CHECKING:
    from infra.local.firestore.inside import Inside

LOCAL_WORKSPACE = Workspace(name="Demo", plan=Plan.PRO, quotas=Quotas(runs=1000, tokens=500_000_000, usd=1000.0))
"""Every run sets aside what it may cost with the real service, so that many emulated ones at once want much room."""


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
