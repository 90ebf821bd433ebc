"""An agent run was created: whoever created it may have failed to start it."""

from __future__ import annotations

import functions_framework
from cloudevents.http import CloudEvent

from shared.bootstrap import app, check_settings
from shared.event_edge import handle
from shared.runs.ports import Key
from shared.trigger import Change

check_settings()


@functions_framework.cloud_event
def on_run_created(event: CloudEvent) -> None:
    """Called by Eventarc for each created run, at least once."""
    memex = app()

    def work(change: Change) -> None:
        memex.runs.run_created(Key(change.workspace, change.id))

    handle(event, function="on-run-created", settings=memex.settings, now=memex.clock.now(), work=work)
