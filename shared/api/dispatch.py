"""From a request to its answer: identity, route, ids, query, handler; errors become answers here and nowhere else."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from flask import Request, Response

from shared.api import answers, cors, health, parameters
from shared.api.openapi import openapi
from shared.api.refusals import MethodNotAllowed, Misdirected
from shared.api.request import path_segments
from shared.api.route import Call, Route
from shared.api.security import secured
from shared.api.table import OPENAPI, PREFIX, ROUTES
from shared.errors import InputError, MemexError, NotFound, SpendingPaused, Unexpected
from shared.identity.principal import Principal
from shared.store.paths import is_segment
from shared.telemetry.context import learn
from shared.telemetry.serving import serving, traced
from shared.telemetry.spans import Span

if TYPE_CHECKING:
    from shared.bootstrap import App
    from shared.config import Settings

log = logging.getLogger(__name__)


def respond(app: App, request: Request, function: str | None = None) -> Response:
    """The answer of a function to any request, or of all together without one. Never raises.

    A preflight is answered before anyone asks who calls: a browser sends it without the token.
    """
    if health.is_asked(request):
        if function == "api" and "chat" in request.path:
            return secured(answers.error(_misdirected("chat", app.settings)))
        return health.respond(app)
    if cors.is_preflight(request):
        return secured(cors.preflight(request, app.settings))
    with serving(function or "api", request.headers), traced(request.method) as span:
        return secured(cors.allowing(_answer(app, request, function, span), request, app.settings))


def _answer(app: App, request: Request, function: str | None, span: Span) -> Response:
    try:
        return _route(app, request, function, span)
    except MethodNotAllowed as failure:
        response = answers.error(failure)
        response.headers["Allow"] = failure.details["allow"]
        return response
    except MemexError as failure:
        if failure.status >= 500 and not isinstance(failure, SpendingPaused):
            log.exception("%s %s: %s", request.method, request.path, failure.code)
            span.failed(failure.code)
        return answers.error(failure if failure.status != 500 else Unexpected())
    except Exception:  # noqa: BLE001 - the outermost edge: whatever it was, it is logged and answered
        log.exception("%s %s failed", request.method, request.path)
        span.failed("internal")
        return answers.error(Unexpected())


def _route(app: App, request: Request, function: str | None, span: Span) -> Response:
    segments = path_segments(request)
    if segments[: len(PREFIX)] != PREFIX:
        raise NotFound("There is no such address; the API begins at /api/v1.")
    rest = segments[len(PREFIX) :]
    if rest == (OPENAPI,):
        _only("GET", request.method)
        return answers.document(openapi())
    principal = _caller(app, request, rest)
    route, ids = _match(request.method, rest, function, app.settings)
    route.admit(principal)
    span.rename(f"{route.method} /{'/'.join(PREFIX)}{route.path}")
    learn(workspace=principal.workspace)
    return route.handler(Call(app, request, principal, ids, parameters.parse(request.args, route.query)))


def _caller(app: App, request: Request, rest: Sequence[str]) -> Principal:
    """Feed readers send no token: the last segment of their address stands for it."""
    there = [route for route in ROUTES if _fits(route.segments, rest)]
    if any(route.secret_address for route in there):
        return app.entrance.admit_to_feed(rest[-1])
    anywhere = any(route.anywhere and route.method == request.method for route in there)
    return app.entrance.admit(request.headers, anywhere=anywhere)


def _match(
    method: str, segments: Sequence[str], function: str | None, settings: Settings
) -> tuple[Route, dict[str, str]]:
    fitting_any = [route for route in ROUTES if _fits(route.segments, segments)]
    there = [route for route in fitting_any if function in (None, route.function)]
    if not fitting_any:
        raise NotFound("There is no such address; GET /api/v1/openapi.json lists them.")
    if not there:
        raise _misdirected(fitting_any[0].function, settings)
    fitting = next((route for route in there if route.method == method), None)
    pattern = (fitting or there[0]).segments
    ids = {name[1:-1]: given for name, given in zip(pattern, segments, strict=True) if name[0] == "{"}
    for name, given in ids.items():
        # Other clients choose the ids of their notes: what Firestore takes as one can be read and changed here too.
        if not given.strip() or not is_segment(given):
            raise InputError(f"{name}: an id is 1 to 1500 bytes without a slash, percent-encoded", field=name)
    if fitting is not None:
        return fitting, ids
    raise _not_allowed(sorted(route.method for route in there))


def _fits(pattern: Sequence[str], segments: Sequence[str]) -> bool:
    if len(pattern) != len(segments):
        return False
    return all(wanted[0] == "{" or wanted == given for wanted, given in zip(pattern, segments, strict=True))


def _misdirected(function: str, settings: Settings) -> Misdirected:
    url = settings.url_of(function)
    return Misdirected(f"The function {function} answers this, at {url}.", function=function, url=url)


def _only(allowed: str, method: str) -> None:
    if method != allowed:
        raise _not_allowed([allowed])


def _not_allowed(methods: Sequence[str]) -> MethodNotAllowed:
    allow = ", ".join(methods)
    return MethodNotAllowed(f"This address takes {allow} only.", allow=allow)
