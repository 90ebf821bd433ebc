"""Every trace event is kept for good: its envelope goes to object storage."""

from __future__ import annotations

import functions_framework
from cloudevents.http import CloudEvent

from shared.bootstrap import app, check_settings
from shared.message_edge import handle
from shared.trace.received import TraceEvent

check_settings()


@functions_framework.cloud_event
def on_trace_archive(event: CloudEvent) -> None:
    """Called by Pub/Sub for each trace event, at least once and in any order; without OBJECTS_URL nothing is kept."""
    memex = app()

    def work(told: TraceEvent) -> None:
        if memex.archive is not None:
            memex.archive.event(told)

    handle(event, function="on-trace-archive", settings=memex.settings, work=work)
