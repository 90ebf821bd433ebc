"""The outermost edge of every function with a Firestore trigger."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import flask

from shared.config import Settings
from shared.contracts.portability import IMPORT_MARK
from shared.delivery import delivered
from shared.errors import InputError
from shared.telemetry.context import learn
from shared.telemetry.serving import serving, traced
from shared.trigger import Change, CloudEvent, decode


def handle(
    event: CloudEvent, *, function: str, settings: Settings, now: datetime, work: Callable[[Change], None]
) -> None:
    """Call `work` with the change that `event` tells of; see delivered for callers and errors.

    An event that is no document event, or is older than a day, is a dead letter. Nothing follows from the creation of
    what an import has taken in: it was dealt with where it comes from.
    """
    with serving(function, flask.request.headers), delivered(event, function=function, settings=settings):
        change = decode(event)
        learn(workspace=change.workspace, **_named(change))
        if change.older_than_a_day(now):
            raise InputError("it is older than a day")
        if change.old is None and change.new is not None and change.new.get(IMPORT_MARK) is True:
            return
        with traced(function, parent=(change.new or change.old or {}).get("traceparent")):
            work(change)


def _named(change: Change) -> dict[str, str]:
    """The ids in its path, as logs have them."""
    places = dict(zip(change.document[::2], change.document[1::2], strict=True))
    return {name: places[collection] for collection, name in _IDS.items() if collection in places}


_IDS = {"operations": "operation_id", "agent_runs": "run_id", "chat_sessions": "session_id", "turns": "turn_id"}
