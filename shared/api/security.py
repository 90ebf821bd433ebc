"""The security headers: of every answer, whoever gives it. Those of the page are in infra/hosting.json."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response

HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Strict-Transport-Security": "max-age=63072000; includeSubDomains",
    # Pages of CORS_ORIGINS ask by CORS, which this does not concern; nobody may embed an answer without asking.
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Answers are personal and for programs: none is kept, shown as a page, or embedded in one."""


def secured(response: Response) -> Response:
    """The response with every header that it does not have yet; what it says itself, such as of a file, stays."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
