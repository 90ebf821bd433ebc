"""The tool memory_job_retry."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from shared.contracts.jobs import JobStatus
from shared.mcp.tool import Answer, Caller, Camel, McpTool
from shared.mcp.tools.user import UserId


class Arguments(Camel):
    job_id: Annotated[str, Field(min_length=1, max_length=1500)]
    user_id: UserId = None


class JobRetried(Answer):
    status: JobStatus
    changed: bool
    message: str


def run(caller: Caller, arguments: Arguments) -> JobRetried:
    """Have a job of the memory done after all that failed or was cancelled: it is pending and due now, with all its
    attempts. For any other job nothing changes, and the message says so."""
    caller.require(arguments.user_id)
    answer = caller.app.brain.retry(caller.workspace, arguments.job_id)
    return JobRetried(status=answer.job.status, changed=answer.changed, message=answer.message)


TOOL = McpTool("memory_job_retry", "Retry a memory job", Arguments, JobRetried, run, changes=True)
