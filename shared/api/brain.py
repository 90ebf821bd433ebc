"""The handlers of the brain: its agents and their jobs, what they put forward, and the picture of what they made."""

from __future__ import annotations

from flask import Response

from shared.api import answers, request
from shared.api.route import Call
from shared.contracts.brain_api import (
    GRAPH_HOPS,
    GRAPH_NODES,
    BlackboardAnswer,
    FocusAnswer,
    GraphAnswer,
    JobAnswer,
    JobCreate,
    JobsAnswer,
)
from shared.contracts.limits import PAGE_SIZE

TOPICS = 100


def list_agents(call: Call) -> Response:
    return answers.model(call.app.brain.status(call.principal.workspace))


def run_agent(call: Call) -> Response:
    from shared.brain.agent import NewJob

    wanted = request.body(call.request, JobCreate)
    asked = NewJob(call.id, wanted.input, priority=wanted.priority, user=call.principal.name)
    return answers.model(JobAnswer(job=call.app.brain.enqueue(call.principal.workspace, asked)), 201)


def list_jobs(call: Call) -> Response:
    jobs, next_cursor = call.app.brain.jobs(call.principal.workspace, **{"limit": PAGE_SIZE, **call.query})
    return answers.model(JobsAnswer(jobs=tuple(jobs), next_cursor=next_cursor))


def get_job(call: Call) -> Response:
    return answers.model(JobAnswer(job=call.app.brain.job(call.principal.workspace, call.id)))


def retry_job(call: Call) -> Response:
    return answers.model(call.app.brain.retry(call.principal.workspace, call.id))


def cancel_job(call: Call) -> Response:
    return answers.model(call.app.brain.cancel(call.principal.workspace, call.id))


def list_blackboard(call: Call) -> Response:
    items, next_cursor = call.store.blackboard.list(**{"limit": PAGE_SIZE, **call.query})
    return answers.model(BlackboardAnswer(items=items, next_cursor=next_cursor))


def get_graph(call: Call) -> Response:
    asked = {"about": None, "hops": GRAPH_HOPS, "limit": GRAPH_NODES, **call.query}
    found = call.store.graph.around(asked["about"], asked["hops"], asked["limit"])
    return answers.model(GraphAnswer(nodes=found.nodes, edges=found.edges, truncated=found.truncated))


def get_focus(call: Call) -> Response:
    store = call.store
    topics = tuple(store.topics.list(TOPICS))
    return answers.model(FocusAnswer(focus=store.focus.find(), identity=store.identity.find(), topics=topics))
