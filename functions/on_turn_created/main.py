"""A chat turn was created: an execution watches over it, for whoever works on it may die."""

from __future__ import annotations

import functions_framework
from cloudevents.http import CloudEvent

from shared.bootstrap import app, check_settings
from shared.chat.holding import Key
from shared.event_edge import handle
from shared.trigger import Change

check_settings()


@functions_framework.cloud_event
def on_turn_created(event: CloudEvent) -> None:
    """Called by Eventarc for each created turn, at least once."""
    memex = app()

    def work(change: Change) -> None:
        memex.chat.turn_created(Key(change.workspace, change.within("chat_sessions"), change.id))

    handle(event, function="on-turn-created", settings=memex.settings, now=memex.clock.now(), work=work)
