"""The outermost edge of every function with a Firestore trigger."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from shared.config import Settings
from shared.contracts.portability import IMPORT_MARK
from shared.delivery import delivered
from shared.errors import InputError
from shared.trigger import Change, CloudEvent, decode


def handle(
    event: CloudEvent, *, function: str, settings: Settings, now: datetime, work: Callable[[Change], None]
) -> None:
    """Call `work` with the change that `event` tells of; see delivered for callers and errors.

    An event that is no document event, or is older than a day, is a dead letter. Nothing follows from the creation of
    what an import has taken in: it was dealt with where it comes from.
    """
    with delivered(event, function=function, settings=settings):
        change = decode(event)
        if change.older_than_a_day(now):
            raise InputError("it is older than a day")
        if change.old is None and change.new is not None and change.new.get(IMPORT_MARK) is True:
            return
        work(change)
