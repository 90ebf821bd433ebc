"""The outermost edge of every function with a Firestore trigger: who calls, what happened, and what an error means.

Eventarc delivers again whatever is not answered with success. So only what may succeed later is answered with an error;
what can never succeed is recorded in the log and acknowledged.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

import flask

from shared import auth
from shared.api import answers
from shared.config import Settings
from shared.errors import Forbidden, InputError, MemexError, Transient, Unauthorized
from shared.trigger import Change, CloudEvent, decode

log = logging.getLogger(__name__)


def handle(
    event: CloudEvent, *, function: str, settings: Settings, now: datetime, work: Callable[[Change], None]
) -> None:
    """Call `work` with the change that `event` tells of, for a caller that the manifest names.

    Ends the request with 401 or 403 for anyone else and with 503 when `work` raises Transient. An event that is no
    document event, is older than a day, or cannot be worked on (errors below 500) becomes a dead letter in the log.
    """
    try:
        auth.require_internal_caller(flask.request.headers, function, settings)
    except (Unauthorized, Forbidden) as refusal:
        flask.abort(answers.error(refusal))
    try:
        change = decode(event)
        if change.older_than_a_day(now):
            raise InputError("it is older than a day")
        work(change)
    except Transient as failure:
        log.warning("%s: event %s is to be delivered again: %s", function, event.get("id"), failure.message)
        flask.abort(answers.error(failure))
    except MemexError as failure:
        if failure.status >= 500:
            raise
        log.error("%s: dead letter: event %s: %s", function, event.get("id"), failure.message)
