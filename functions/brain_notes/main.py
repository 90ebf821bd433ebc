"""A note was written or is gone: the brain is to remember, or to forget, what it says."""

from __future__ import annotations

import functions_framework
from cloudevents.http import CloudEvent

from shared.bootstrap import app, check_settings
from shared.event_edge import handle
from shared.trigger import Change

check_settings()


@functions_framework.cloud_event
def brain_notes(event: CloudEvent) -> None:
    """Called by Eventarc for each written note, at least once and in any order."""
    memex = app()

    def work(change: Change) -> None:
        memex.brain.note_written(change)

    handle(event, function="brain-notes", settings=memex.settings, now=memex.clock.now(), work=work)
