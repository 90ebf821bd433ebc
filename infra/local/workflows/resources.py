"""Stored rows as the API's messages; the REST face writes the same messages as JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from google.cloud.workflows.executions_v1.types import executions as executions_types
from google.cloud.workflows_v1.types import workflows as workflows_types
from google.protobuf.timestamp_pb2 import Timestamp

from infra.local.workflows.store import ExecutionRow, Revision

ExecutionMessage = executions_types.Execution.pb()
WorkflowMessage = workflows_types.Workflow.pb()


def _timestamp(moment: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp


def execution_message(row: ExecutionRow, parent: str, full: bool) -> Any:
    """An execution under its workflow's name; BASIC has only name, times, state and revision."""
    message = ExecutionMessage(
        name=f"{parent}/executions/{row.id}",
        state=row.state,
        workflow_revision_id=row.revision,
        start_time=_timestamp(row.started),
    )
    if row.ended is not None:
        message.end_time.CopyFrom(_timestamp(row.ended))
        message.duration.FromTimedelta(row.ended - row.started)
    if not full:
        return message
    message.argument, message.result = row.argument, row.result
    message.call_log_level = row.call_log_level
    message.labels.update(row.labels)
    for step in row.current_steps:
        message.status.current_steps.add(routine=step["routine"], step=step["step"])
    if row.error is not None:
        message.error.payload, message.error.context = row.error["payload"], row.error["context"]
        for one in row.error["stack_trace"]:
            element = message.error.stack_trace.elements.add(step=one["step"], routine=one["routine"])
            element.position.line = one["line"]
    return message


def workflow_message(latest: Revision, first: Revision, name: str, full: bool) -> Any:
    """A workflow at its latest revision; the list leaves the source out."""
    message = WorkflowMessage(
        name=name,
        state="ACTIVE",
        revision_id=latest.revision,
        create_time=_timestamp(first.created),
        update_time=_timestamp(latest.created),
        revision_create_time=_timestamp(latest.created),
        service_account=latest.service_account and f"projects/-/serviceAccounts/{latest.service_account}",
    )
    if full:
        message.source_contents = latest.source
        message.user_env_vars.update(latest.environment)
    return message
