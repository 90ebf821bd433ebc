"""The public HTTP API."""

from __future__ import annotations

import functions_framework
from flask import Request, Response

from shared.api.dispatch import respond
from shared.bootstrap import app, check_settings

check_settings()


@functions_framework.http
def api(request: Request) -> Response:
    """Answers everything below /api/v1."""
    return respond(app(), request, "api")
