"""What the research service calls when a run has ended, so that nobody need wait for the next poll."""

from __future__ import annotations

import functions_framework
from flask import Request, Response

from shared.bootstrap import app, check_settings
from shared.webhook_edge import respond

check_settings()


@functions_framework.http
def webhook(request: Request) -> Response:
    """POST, by anyone; what is not signed by the service is refused."""
    memex = app()
    return respond(request, lambda: memex.webhooks)
