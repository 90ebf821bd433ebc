"""The rows of agent runs."""

from __future__ import annotations

from shared.api import events, parameters, runs
from shared.api.route import Route
from shared.contracts.events import EventsAnswer
from shared.contracts.runs import RunAnswer, RunCancelAnswer, RunCreate, RunsAnswer, RunStepsAnswer

ROUTES: tuple[Route, ...] = (
    Route(
        "POST",
        "/agent_runs",
        runs.create_run,
        "Begin a run. 200 when the idempotency key found it stored; 402, 403 or 429 where it may not be.",
        answer=RunAnswer,
        status=201,
        body=RunCreate,
        idempotent_key=True,
    ),
    Route(
        "GET",
        "/agent_runs",
        runs.list_runs,
        "List runs, newest first.",
        answer=RunsAnswer,
        query=(parameters.RUN_STATUS, parameters.LIMIT, parameters.CURSOR),
    ),
    Route(
        "GET",
        "/agent_runs/{id}",
        runs.get_run,
        "A run with its steps.",
        answer=RunStepsAnswer,
        query=(parameters.HTML,),
    ),
    Route(
        "POST",
        "/agent_runs/{id}/cancel",
        runs.cancel_run,
        "Cancel a run; a no-op that says so when it has ended.",
        answer=RunCancelAnswer,
    ),
    Route(
        "GET",
        "/agent_runs/{id}/events",
        events.run_events,
        "Follow a run until it ends.",
        answer=EventsAnswer,
        query=parameters.EVENTS,
        stream=True,
    ),
)
