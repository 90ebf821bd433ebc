"""The handlers of agent runs."""

from __future__ import annotations

from flask import Response

from shared.api import answers, request
from shared.api.route import Call
from shared.contracts.limits import PAGE_SIZE
from shared.contracts.runs import RunAnswer, RunCreate, RunsAnswer, RunStepsAnswer


def create_run(call: Call) -> Response:
    from shared.runs.beginning import Wanted
    from shared.runs.showing import view

    key = request.idempotency_key(call.request)
    wanted = Wanted.of(request.body(call.request, RunCreate))
    run, created = call.app.runs.begin(call.principal.workspace, wanted, key=key)
    return answers.model(RunAnswer(run=view(run)), 201 if created else 200)


def list_runs(call: Call) -> Response:
    from shared.runs.showing import view

    runs, next_cursor = call.store.runs.list(**{"limit": PAGE_SIZE, **call.query})
    return answers.model(RunsAnswer(runs=tuple(map(view, runs)), next_cursor=next_cursor))


def get_run(call: Call) -> Response:
    from shared.runs.showing import with_steps

    return answers.model(RunStepsAnswer(run=with_steps(call.store, call.id, html=call.query.get("html", False))))


def cancel_run(call: Call) -> Response:
    return answers.model(call.app.runs.cancel(call.principal.workspace, call.id))
