"""The outermost edge of the public function `webhook`: what comes in is bounded, what goes out says nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable

from flask import Request, Response

from shared.api import answers, health
from shared.api.request import read
from shared.bootstrap import app
from shared.errors import MemexError, NotFound, Unexpected
from shared.telemetry.serving import serving, traced
from shared.webhooks.delivery import Delivery
from shared.webhooks.service import Webhooks

log = logging.getLogger(__name__)

BODY_BYTES = 65_536
"""Webhooks are thin: a few hundred bytes."""


def respond(request: Request, webhooks: Callable[[], Webhooks]) -> Response:
    """204 for a webhook that is the service's, whatever came of it; 503 when it had better come again. Never raises."""
    if health.is_asked(request):
        return health.respond(app())
    with serving("webhook", request.headers), traced("webhook"):
        return _answer(request, webhooks)


def _answer(request: Request, webhooks: Callable[[], Webhooks]) -> Response:
    try:
        if request.method != "POST":
            raise NotFound("POST a webhook.")
        webhooks().receive(_delivery(request))
        return answers.empty()
    except MemexError as failure:
        log.log(logging.WARNING if failure.status >= 500 else logging.INFO, "webhook refused: %s", failure.message)
        return answers.error(failure)
    except Exception:  # noqa: BLE001 - the outermost edge: whatever it was, it is logged and answered
        log.exception("webhook failed")
        return answers.error(Unexpected())


def _delivery(request: Request) -> Delivery:
    """Raises TooLarge. The request's own limit would raise once more where the framework reads what is left."""
    body, headers = read(request, BODY_BYTES), request.headers
    return Delivery(
        id=headers.get("webhook-id", ""),
        timestamp=headers.get("webhook-timestamp", ""),
        signature=headers.get("webhook-signature", ""),
        body=body,
    )
