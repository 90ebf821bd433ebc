"""What is delivered to a function, again until it is answered with success: who calls, and what an error means.

Only what may succeed later is answered with an error; what can never succeed is recorded in the log and acknowledged.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import flask

from shared import auth
from shared.api import answers
from shared.config import Settings
from shared.errors import Forbidden, MemexError, Transient, Unauthorized, WorkspaceClosed
from shared.trigger import CloudEvent

log = logging.getLogger(__name__)


@contextmanager
def delivered(event: CloudEvent, *, function: str, settings: Settings) -> Iterator[None]:
    """Work on the event in the block, for a caller that the manifest names.

    Ends the request with 401 or 403 for anyone else and with 503 when the block raises Transient. What cannot be worked
    on (errors below 500) becomes a dead letter in the log.
    """
    try:
        auth.require_internal_caller(flask.request.headers, function, settings)
    except (Unauthorized, Forbidden) as refusal:
        flask.abort(answers.error(refusal))
    try:
        yield
    except Transient as failure:
        log.warning("%s: event %s is to be delivered again: %s", function, event.get("id"), failure.message)
        flask.abort(answers.error(failure))
    except WorkspaceClosed as failure:
        log.info("%s: event %s came after the end: %s", function, event.get("id"), failure.message)
    except MemexError as failure:
        if failure.status >= 500:
            raise
        log.error("%s: dead letter: event %s: %s", function, event.get("id"), failure.message)
