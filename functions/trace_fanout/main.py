"""Every event that is stored is told to the world: the envelope goes to the topic trace-events."""

from __future__ import annotations

import functions_framework
from cloudevents.http import CloudEvent

from shared.bootstrap import app, check_settings
from shared.event_edge import handle
from shared.trace.fanout import fan_out
from shared.trigger import Change

check_settings()


@functions_framework.cloud_event
def trace_fanout(event: CloudEvent) -> None:
    """Called by Eventarc for each created event document, at least once and in any order."""
    memex = app()

    def work(change: Change) -> None:
        fan_out(change, memex.publisher.publish)

    handle(event, function="trace-fanout", settings=memex.settings, now=memex.clock.now(), work=work)
