"""What workflows/research.yaml calls: start, listen, poll, fail."""

from __future__ import annotations

import functions_framework
from flask import Request, Response

from shared.api import health
from shared.bootstrap import app, check_settings
from shared.contracts.research import FailRequest, ListenRequest, PollRequest, StartRequest
from shared.http_edge import respond

check_settings()


@functions_framework.http
def research(request: Request) -> Response:
    """POST /start, /listen, /poll or /fail, by the workflow's account."""
    memex = app()
    return respond(
        request,
        function="research",
        settings=memex.settings,
        health=lambda: health.respond(memex),
        verbs=lambda: {
            "start": (StartRequest, memex.research.start),
            "listen": (ListenRequest, memex.research.listen),
            "poll": (PollRequest, memex.research.poll),
            "fail": (FailRequest, memex.operations.fail),
        },
    )
