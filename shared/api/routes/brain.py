"""The rows of the brain: agents, jobs, records, and what was thought about them."""

from __future__ import annotations

from shared.api import brain, parameters, records
from shared.api.route import Route
from shared.contracts.brain_api import (
    AgentsAnswer,
    BlackboardAnswer,
    ContradictionAnswer,
    ContradictionsAnswer,
    FocusAnswer,
    GraphAnswer,
    JobAnswer,
    JobChangeAnswer,
    JobCreate,
    JobsAnswer,
    RecordAnswer,
    RecordPatch,
    RecordsAnswer,
    Settle,
    WhyAnswer,
)

_PAGE = (parameters.LIMIT, parameters.CURSOR)

_JOBS: tuple[Route, ...] = (
    Route("GET", "/brain/agents", brain.list_agents, "The agents, and how their jobs fare.", answer=AgentsAnswer),
    Route(
        "POST",
        "/brain/agents/{id}/run",
        brain.run_agent,
        "Have an agent work on something: a job, or the one that is in flight for the same.",
        answer=JobAnswer,
        status=201,
        body=JobCreate,
    ),
    Route(
        "GET",
        "/brain/jobs",
        brain.list_jobs,
        "List jobs, newest first.",
        answer=JobsAnswer,
        query=(parameters.JOB_STATUS, parameters.JOB_KIND, *_PAGE),
    ),
    Route("GET", "/brain/jobs/{id}", brain.get_job, "A job, with what it was given and gave.", answer=JobAnswer),
    Route(
        "POST",
        "/brain/jobs/{id}/retry",
        brain.retry_job,
        "Have a failed or cancelled job done after all; a no-op that says so for any other.",
        answer=JobChangeAnswer,
    ),
    Route(
        "POST",
        "/brain/jobs/{id}/cancel",
        brain.cancel_job,
        "Cancel a job; a no-op that says so when it has ended.",
        answer=JobChangeAnswer,
    ),
)
_RECORDS: tuple[Route, ...] = (
    Route(
        "GET",
        "/brain/records",
        records.list_records,
        "List what is remembered, newest first; with q, recall what bears on it.",
        answer=RecordsAnswer,
        query=(
            parameters.RECALL_Q,
            parameters.RECORD_TYPE,
            parameters.RECORD_STATUS,
            parameters.PINNED,
            parameters.SUBJECT,
            parameters.AS_OF,
            *_PAGE,
        ),
    ),
    Route("GET", "/brain/records/{id}", records.get_record, "A record with its sources.", answer=RecordAnswer),
    Route(
        "GET",
        "/brain/records/{id}/why",
        records.why_record,
        "Why something is remembered: from the record to what was said, with every critique.",
        answer=WhyAnswer,
    ),
    Route(
        "PATCH",
        "/brain/records/{id}",
        records.patch_record,
        "Pin a record, or keep it out of every recall; both can be taken back.",
        answer=RecordAnswer,
        body=RecordPatch,
    ),
    Route(
        "POST",
        "/brain/records/{id}/retract",
        records.retract_record,
        "Say that it is not so: it is recalled no more, and stays to be read.",
        answer=RecordAnswer,
    ),
    Route(
        "POST",
        "/brain/records/{id}/restore",
        records.restore_record,
        "Take a retraction back.",
        answer=RecordAnswer,
    ),
)
_THOUGHTS: tuple[Route, ...] = (
    Route(
        "GET",
        "/brain/blackboard",
        brain.list_blackboard,
        "List what agents put forward and what was decided on it, the last first.",
        answer=BlackboardAnswer,
        query=(parameters.ITEM_STATUS, parameters.ITEM_KIND, *_PAGE),
    ),
    Route(
        "GET",
        "/brain/contradictions",
        records.list_contradictions,
        "List records that cannot both be true, newest first.",
        answer=ContradictionsAnswer,
        query=(parameters.CONTRADICTION_STATUS, *_PAGE),
    ),
    Route(
        "POST",
        "/brain/contradictions/{id}/settle",
        records.settle_contradiction,
        "Say which of the two is true, or (null) that both may stay.",
        answer=ContradictionAnswer,
        body=Settle,
    ),
    Route(
        "POST",
        "/brain/contradictions/{id}/reopen",
        records.reopen_contradiction,
        "Take back how it was settled: what was retracted by it is as it was.",
        answer=ContradictionAnswer,
    ),
    Route(
        "GET",
        "/brain/graph",
        brain.get_graph,
        "People, places and things, and what is remembered of two of them.",
        answer=GraphAnswer,
        query=(parameters.ABOUT, parameters.HOPS, parameters.GRAPH_LIMIT),
    ),
    Route(
        "GET",
        "/brain/focus",
        brain.get_focus,
        "What the person is at, who they are, and what their records are about.",
        answer=FocusAnswer,
    ),
)
ROUTES: tuple[Route, ...] = (*_JOBS, *_RECORDS, *_THOUGHTS)
