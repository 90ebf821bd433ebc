"""What workflows/workspace_deletion.yaml calls: start, step, fail."""

from __future__ import annotations

import functions_framework
from flask import Request, Response

from shared.bootstrap import app, check_settings
from shared.contracts.workspace_deletions import DeletionFailRequest, DeletionStartRequest, DeletionStepRequest
from shared.http_edge import respond

check_settings()


@functions_framework.http
def workspace_deletion(request: Request) -> Response:
    """POST /start, /step or /fail, by the workflow's account."""
    memex = app()
    return respond(
        request,
        function="workspace-deletion",
        settings=memex.settings,
        verbs=lambda: {
            "start": (DeletionStartRequest, memex.workspaces.start),
            "step": (DeletionStepRequest, memex.workspaces.step),
            "fail": (DeletionFailRequest, memex.workspaces.fail),
        },
    )
