"""What workflows/extract.yaml calls: start, step, fail."""

from __future__ import annotations

import functions_framework
from flask import Request, Response

from shared.api import health
from shared.bootstrap import app, check_settings
from shared.contracts.documents import ExtractStartRequest, ExtractStepRequest
from shared.contracts.research import FailRequest
from shared.http_edge import respond

check_settings()


@functions_framework.http
def extract(request: Request) -> Response:
    """POST /start, /step or /fail, by the workflow's account."""
    memex = app()
    return respond(
        request,
        function="extract",
        settings=memex.settings,
        health=lambda: health.respond(memex),
        verbs=lambda: {
            "start": (ExtractStartRequest, memex.documents.start),
            "step": (ExtractStepRequest, memex.documents.step),
            "fail": (FailRequest, memex.operations.fail),
        },
    )
