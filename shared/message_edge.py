"""The outermost edge of every subscriber of trace events: who calls, what happened, and what an error means.

Pub/Sub delivers again whatever is not answered with success. An event is worked on however old it is: what subscribers
do is done once whenever it comes, and none of them may miss one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Protocol

import flask

from shared import auth
from shared.api import answers
from shared.config import Settings
from shared.errors import Forbidden, MemexError, Transient, Unauthorized
from shared.trace.received import TraceEvent, received

log = logging.getLogger(__name__)


class CloudEvent(Protocol):
    """What functions-framework gives: attributes as a mapping, and the data."""

    data: Any

    def get(self, key: str, default: Any = None) -> Any:
        """An attribute of the event."""


def handle(event: CloudEvent, *, function: str, settings: Settings, work: Callable[[TraceEvent], None]) -> None:
    """Call `work` with the trace event in `event`, for a caller that the manifest names.

    Ends the request with 401 or 403 for anyone else and with 503 when `work` raises Transient. What is no trace event,
    or cannot be worked on (errors below 500), becomes a dead letter in the log.
    """
    try:
        auth.require_internal_caller(flask.request.headers, function, settings)
    except (Unauthorized, Forbidden) as refusal:
        flask.abort(answers.error(refusal))
    try:
        work(received(event.data))
    except Transient as failure:
        log.warning("%s: message %s is to be delivered again: %s", function, event.get("id"), failure.message)
        flask.abort(answers.error(failure))
    except MemexError as failure:
        if failure.status >= 500:
            raise
        log.error("%s: dead letter: message %s: %s", function, event.get("id"), failure.message)
