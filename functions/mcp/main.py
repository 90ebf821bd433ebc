"""The memex for MCP clients."""

from __future__ import annotations

import functions_framework
from flask import Request, Response

from shared.bootstrap import app, check_settings
from shared.mcp.endpoint import respond

check_settings()


@functions_framework.http
def mcp(request: Request) -> Response:
    """Answers MCP over streamable HTTP."""
    return respond(app(), request)
