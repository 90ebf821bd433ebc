"""The routines: a digest of each day and a review of each week, called by the scheduler."""

from __future__ import annotations

import functions_framework
from flask import Request, Response

from shared.api import health
from shared.bootstrap import app, check_settings
from shared.contracts.routines import RoutineRequest
from shared.http_edge import respond

check_settings()


@functions_framework.http
def routine(request: Request) -> Response:
    """POST / with {}, or {"kind", "workspace"}; answers how much was written and proposed."""
    memex = app()
    return respond(
        request,
        function="routine",
        settings=memex.settings,
        health=lambda: health.respond(memex),
        verbs=lambda: {"": (RoutineRequest, memex.routines.scheduled)},
    )
