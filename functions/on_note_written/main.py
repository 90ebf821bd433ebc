"""A note was written: the tag `research` begins its research."""

from __future__ import annotations

import functions_framework
from cloudevents.http import CloudEvent

from shared.bootstrap import app, check_settings
from shared.event_edge import handle
from shared.trigger import Change

check_settings()


@functions_framework.cloud_event
def on_note_written(event: CloudEvent) -> None:
    """Called by Eventarc for each written note, at least once and in any order."""
    memex = app()

    def work(change: Change) -> None:
        memex.research.note_written(change)

    handle(event, function="on-note-written", settings=memex.settings, now=memex.clock.now(), work=work)
