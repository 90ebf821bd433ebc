"""The outermost edge of every subscriber of trace events.

An event is worked on however old it is: what subscribers do is done once whenever it comes, and none may miss one.
"""

from __future__ import annotations

from collections.abc import Callable

import flask

from shared.config import Settings
from shared.delivery import delivered
from shared.telemetry.context import learn
from shared.telemetry.serving import serving, traced
from shared.trace.received import TraceEvent, received
from shared.trigger import CloudEvent


def handle(event: CloudEvent, *, function: str, settings: Settings, work: Callable[[TraceEvent], None]) -> None:
    """Call `work` with the trace event in the message `event`; see delivered for callers and errors."""
    with serving(function, flask.request.headers), delivered(event, function=function, settings=settings):
        told = received(event.data)
        learn(workspace=told.workspace)
        with traced(function, "consumer", parent=told.traceparent):
            work(told)
