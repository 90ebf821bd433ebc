"""Work has ended: what it used is added to its workspace's month."""

from __future__ import annotations

import functions_framework
from cloudevents.http import CloudEvent

from shared.bootstrap import app, check_settings
from shared.message_edge import handle

check_settings()


@functions_framework.cloud_event
def usage_meter(event: CloudEvent) -> None:
    """Called by Pub/Sub for each trace event, at least once and in any order."""
    memex = app()
    handle(event, function="usage-meter", settings=memex.settings, work=memex.metering.event)
