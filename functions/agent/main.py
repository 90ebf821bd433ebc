"""What workflows/agent_run.yaml calls: plan, step, checkpoint, synthesise, fail."""

from __future__ import annotations

import functions_framework
from flask import Request, Response

from shared.api import health
from shared.bootstrap import app, check_settings
from shared.contracts.run_calls import PlanRequest, RunFailRequest, WorkRequest
from shared.http_edge import respond

check_settings()


@functions_framework.http
def agent(request: Request) -> Response:
    """POST /plan, /step, /checkpoint, /synthesise or /fail, by the workflow's account."""
    memex = app()
    return respond(
        request,
        function="agent",
        settings=memex.settings,
        health=lambda: health.respond(memex),
        verbs=lambda: {
            "plan": (PlanRequest, memex.runs.plan),
            "step": (WorkRequest, memex.runs.step),
            "checkpoint": (WorkRequest, memex.runs.checkpoint),
            "synthesise": (WorkRequest, memex.runs.synthesise),
            "fail": (RunFailRequest, memex.runs.fail),
        },
    )
