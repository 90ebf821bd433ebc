"""What workflows/brain.yaml calls: start, run, next, fail."""

from __future__ import annotations

import functions_framework
from flask import Request, Response

from shared.api import health
from shared.bootstrap import app, check_settings
from shared.contracts.brain_drain import DrainFailRequest, DrainRequest, DrainStartRequest
from shared.http_edge import respond

check_settings()


@functions_framework.http
def brain(request: Request) -> Response:
    """POST /start, /run, /next or /fail, by the workflow's account."""
    memex = app()
    return respond(
        request,
        function="brain",
        settings=memex.settings,
        health=lambda: health.respond(memex),
        verbs=lambda: {
            "start": (DrainStartRequest, memex.brain.start),
            "run": (DrainRequest, memex.brain.run),
            "next": (DrainRequest, memex.brain.next),
            "fail": (DrainFailRequest, memex.brain.fail),
        },
    )
