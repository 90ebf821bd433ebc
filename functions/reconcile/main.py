"""The sweep that mends what was lost, called by the scheduler."""

from __future__ import annotations

import functions_framework
from flask import Request, Response

from shared.api import health
from shared.bootstrap import App, app, check_settings
from shared.contracts.research import SweepAnswer, SweepRequest
from shared.http_edge import respond
from shared.notes.delete import purge_old

check_settings()


def _sweep(memex: App) -> SweepAnswer:
    """Operations and notes first, then turns, runs, brains, workspaces, then what is derived from notes, documents."""
    answer = memex.reconciler.sweep() + memex.turn_reconciler.sweep() + memex.run_reconciler.sweep()
    answer += memex.brain_reconciler.sweep() + memex.workspaces.sweep()
    indexed = memex.enriching.sweep(memex.system_store)
    purged = purge_old(memex.store, memex.system_store, memex.clock)
    documents = memex.documents.sweep(memex.system_store)
    return answer + SweepAnswer(indexed=indexed, purged=purged, documents=documents)


@functions_framework.http
def reconcile(request: Request) -> Response:
    """POST / with an empty object; answers how much was mended."""
    memex = app()
    return respond(
        request,
        function="reconcile",
        settings=memex.settings,
        health=lambda: health.respond(memex),
        verbs=lambda: {"": (SweepRequest, lambda _request: _sweep(memex))},
    )
