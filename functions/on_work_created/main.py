"""An operation was created: whoever created it may have failed to start it."""

from __future__ import annotations

import functions_framework
from cloudevents.http import CloudEvent

from shared.bootstrap import app, check_settings
from shared.event_edge import handle
from shared.trigger import Change

check_settings()


@functions_framework.cloud_event
def on_work_created(event: CloudEvent) -> None:
    """Called by Eventarc for each created operation, at least once."""
    memex = app()

    def work(change: Change) -> None:
        memex.operations.work_created(change.workspace, change.id)

    handle(event, function="on-work-created", settings=memex.settings, now=memex.clock.now(), work=work)
