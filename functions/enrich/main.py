"""A note was written: its index follows, with a summary and tags that would fit."""

from __future__ import annotations

import functions_framework
from cloudevents.http import CloudEvent

from shared.bootstrap import app, check_settings
from shared.event_edge import handle
from shared.trigger import Change

check_settings()


@functions_framework.cloud_event
def enrich(event: CloudEvent) -> None:
    """Called by Eventarc for each written note, at least once and in any order."""
    memex = app()

    def work(change: Change) -> None:
        memex.enriching.note_written(change)

    handle(event, function="enrich", settings=memex.settings, now=memex.clock.now(), work=work)
