"""What workflows/turn.yaml calls: carry_on."""

from __future__ import annotations

import functions_framework
from flask import Request, Response

from shared.api import health
from shared.bootstrap import app, check_settings
from shared.contracts.chat import CarryOnRequest
from shared.http_edge import respond

check_settings()


@functions_framework.http
def turn(request: Request) -> Response:
    """POST /carry_on, by the workflow's account."""
    memex = app()
    return respond(
        request,
        function="turn",
        settings=memex.settings,
        health=lambda: health.respond(memex),
        verbs=lambda: {"carry_on": (CarryOnRequest, memex.chat.carry_on)},
    )
