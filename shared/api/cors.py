"""Cross-origin requests: pages of the origins that CORS_ORIGINS names may call; a preflight comes without a token."""

from __future__ import annotations

from flask import Request, Response

from shared.config import Settings

_ALLOWED_METHODS = "GET, POST, PUT, PATCH, DELETE, OPTIONS"
_ALLOWED_HEADERS = "Authorization, Content-Type, Last-Event-ID, Idempotency-Key, X-Memex-Workspace"
_EXPOSED_HEADERS = "Retry-After, WWW-Authenticate, Allow, Content-Disposition"
_MAX_AGE_SECONDS = 600


def is_preflight(request: Request) -> bool:
    """Whether a browser asks what it may send; any other OPTIONS is an ordinary request."""
    return (
        request.method == "OPTIONS"
        and "Origin" in request.headers
        and "Access-Control-Request-Method" in request.headers
    )


def preflight(request: Request, settings: Settings) -> Response:
    """The answer to a preflight: 204, with what is allowed where the origin is."""
    response = allowing(Response(status=204), request, settings)
    if "Access-Control-Allow-Origin" in response.headers:
        response.headers["Access-Control-Allow-Methods"] = _ALLOWED_METHODS
        response.headers["Access-Control-Allow-Headers"] = _ALLOWED_HEADERS
        response.headers["Access-Control-Max-Age"] = str(_MAX_AGE_SECONDS)
    return response


def allowing(response: Response, request: Request, settings: Settings) -> Response:
    """The response, readable by the page that asked if its origin is allowed. Cookies never are: a token is sent."""
    response.headers["Vary"] = "Origin"
    origin = request.headers.get("Origin")
    if origin is not None and origin in _origins(settings):
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = _EXPOSED_HEADERS
    return response


def _origins(settings: Settings) -> frozenset[str]:
    return frozenset(one.strip().rstrip("/") for one in settings.cors_origins.split(",") if one.strip())
