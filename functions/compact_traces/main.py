"""The archived trace events of each day become one compressed file, called by the scheduler."""

from __future__ import annotations

import functions_framework
from flask import Request, Response

from shared.bootstrap import App, app, check_settings
from shared.contracts.archive import CompactAnswer, CompactRequest
from shared.http_edge import respond

check_settings()


def _compact(memex: App) -> CompactAnswer:
    return CompactAnswer() if memex.compaction is None else memex.compaction.run()


@functions_framework.http
def compact_traces(request: Request) -> Response:
    """POST / with an empty object; answers how much was compacted."""
    memex = app()
    return respond(
        request,
        function="compact-traces",
        settings=memex.settings,
        verbs=lambda: {"": (CompactRequest, lambda _request: _compact(memex))},
    )
