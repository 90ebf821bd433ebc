"""The outermost edge of MCP: who calls, how much is sent, and what a refusal looks like before the protocol begins."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

from flask import Request, Response

from shared.api import answers, health
from shared.api.refusals import MethodNotAllowed, UnsupportedMediaType
from shared.api.request import read
from shared.api.security import secured
from shared.contracts.members import Role
from shared.errors import Forbidden, InputError, MemexError, Unexpected
from shared.telemetry.context import learn
from shared.telemetry.serving import serving, traced

if TYPE_CHECKING:
    from shared.bootstrap import App

log = logging.getLogger(__name__)

MCP_BYTES = 1_000_000
"""The largest request: a long note."""
ANSWER_SECONDS = 50.0
"""Less than the function has, so that it is we who say that it took too long."""
_JSON = "application/json"
_INVALID_REQUEST, _INTERNAL_ERROR = -32600, -32603
"""JSON-RPC's own codes; importing the SDK for them would cost most of a second."""


class UnknownHost(Forbidden):
    """The request names a host that is none of ours: a page elsewhere may have made its own name point here."""

    status, code = 421, "unknown_host"


class NotAcceptable(InputError):
    status, code = 406, "not_acceptable"


def respond(app: App, request: Request) -> Response:
    """The answer to any request. Never raises.

    The token is asked for first, whatever is sent; the protocol begins with a request that has a good one. A refusal
    has its HTTP status and is an error of JSON-RPC, which is what MCP clients show.
    """
    if health.is_asked(request):
        return health.respond(app)
    with serving("mcp", request.headers), traced(f"{request.method} /mcp"):
        return _responded(app, request)


def _responded(app: App, request: Request) -> Response:
    try:
        return _answer(app, request)
    except MethodNotAllowed as failure:
        refusal = _refused(failure)
        refusal.headers["Allow"] = failure.details["allow"]
        return refusal
    except MemexError as failure:
        if failure.status >= 500:
            log.exception("%s %s: %s", request.method, request.path, failure.code)
        return _refused(failure)
    except Exception:  # noqa: BLE001 - the outermost edge: whatever it was, it is logged and answered
        log.exception("%s %s failed", request.method, request.path)
        return _refused(Unexpected())


def _refused(failure: MemexError) -> Response:
    response = answers.error(failure)
    code = _INTERNAL_ERROR if failure.status >= 500 else _INVALID_REQUEST
    error = {"code": code, "message": failure.message, "data": {"code": failure.code, "details": failure.details}}
    response.set_data(json.dumps({"jsonrpc": "2.0", "id": None, "error": error}))
    return response


def _answer(app: App, request: Request) -> Response:
    caller = app.entrance.admit(request.headers)
    caller.require(Role.READER)
    learn(workspace=caller.workspace)
    if request.method != "POST":
        # There are no sessions to end and no stream to listen to: each POST is answered by itself.
        raise MethodNotAllowed("MCP is spoken by POST here, without sessions.", allow="POST")
    if request.mimetype != _JSON:
        raise UnsupportedMediaType(f"Send a message of JSON-RPC with Content-Type: {_JSON}.", field="Content-Type")
    if request.accept_mimetypes[_JSON] <= 0:
        raise NotAcceptable(f"Answers are JSON: send Accept: {_JSON}, text/event-stream.", field="Accept")
    body = read(request, MCP_BYTES)
    from shared.mcp import asgi
    from shared.mcp.server import application  # the SDK takes most of a second to import

    response = asgi.answer(application(app, caller), request, body, seconds=ANSWER_SECONDS)
    # The SDK checks both headers, and says neither in JSON nor what to do.
    if response.status_code == UnknownHost.status:
        raise UnknownHost(f"There is no MCP server at {request.headers.get('Host')}: name the host in MCP_HOSTS.")
    if response.status_code == Forbidden.status:
        raise Forbidden(f"Pages of {request.headers.get('Origin')} may not call this.")
    response.headers["Cache-Control"] = "no-store"
    return secured(response)
