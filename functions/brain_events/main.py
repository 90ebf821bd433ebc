"""A chat turn or the extraction of a document has ended: the brain has something to work on."""

from __future__ import annotations

import functions_framework
from cloudevents.http import CloudEvent

from shared.bootstrap import app, check_settings
from shared.message_edge import handle
from shared.trace.received import TraceEvent

check_settings()


@functions_framework.cloud_event
def brain_events(event: CloudEvent) -> None:
    """Called by Pub/Sub for each trace event, at least once and in any order."""
    memex = app()

    def work(event: TraceEvent) -> None:
        memex.brain.event(event)

    handle(event, function="brain-events", settings=memex.settings, work=work)
