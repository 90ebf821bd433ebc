"""The outermost edge of every function with a Firestore trigger."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from shared.config import Settings
from shared.delivery import delivered
from shared.errors import InputError
from shared.trigger import Change, CloudEvent, decode


def handle(
    event: CloudEvent, *, function: str, settings: Settings, now: datetime, work: Callable[[Change], None]
) -> None:
    """Call `work` with the change that `event` tells of; see delivered for callers and errors.

    An event that is no document event, or is older than a day, is a dead letter.
    """
    with delivered(event, function=function, settings=settings):
        change = decode(event)
        if change.older_than_a_day(now):
            raise InputError("it is older than a day")
        work(change)
