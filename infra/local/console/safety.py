"""Who may change things at /_cloud: this page and scripts, never a page of another site."""

from __future__ import annotations

from flask import Blueprint, Response, request

from infra.local.console.answers import Refusal
from infra.local.front.guard import READING
from infra.local.front.pages import HEADERS


def protect(pages: Blueprint) -> None:
    """Changes come as application/json, which a form or an image of another site cannot send without asking first.

    The front has checked Host, Origin and Sec-Fetch-Site before; this holds for a browser that sends none of them.
    """

    @pages.before_request
    def check() -> None:
        if request.method not in READING and request.mimetype != "application/json":
            raise Refusal(415, "What changes something is sent as application/json.")

    @pages.after_request
    def seal(answer: Response) -> Response:
        answer.headers.update(HEADERS)
        return answer
