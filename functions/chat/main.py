"""The chat: sessions, messages and their streams. A turn is worked on beside the request that began it."""

from __future__ import annotations

import functions_framework
from flask import Request, Response

from shared.api.dispatch import respond
from shared.bootstrap import app, check_settings

check_settings()


@functions_framework.http
def chat(request: Request) -> Response:
    """Answers everything below /api/v1/chat."""
    return respond(app(), request, "chat")
