"""The tool memory_agent_run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, ValidationError

from shared.brain.agent import NewJob
from shared.contracts.brain_api import JobCreate
from shared.contracts.jobs import JOB_INPUT_BYTES, JOB_PRIORITY, JobStatus
from shared.invalid import invalid
from shared.mcp.tool import Answer, Caller, Camel, McpTool
from shared.mcp.tools.user import UserId


class Arguments(Camel):
    agent_id: Annotated[str, Field(min_length=1, max_length=200)]
    input: Annotated[
        Mapping[str, Any],
        Field(description=f"As the agent's own schema has it, {JOB_INPUT_BYTES} bytes of JSON at most."),
    ]
    user_id: UserId = None
    priority: Annotated[int, Field(ge=0, le=100, description="The higher is worked on sooner.")] = JOB_PRIORITY


class JobBegun(Answer):
    job_id: str
    status: JobStatus


def run(caller: Caller, arguments: Arguments) -> JobBegun:
    """Have an agent of the memory work on something: answers the job, which is worked on in the background. A job
    that is in flight for the same is answered instead of a second one."""
    caller.require(arguments.user_id)
    try:
        wanted = JobCreate(input=arguments.input, priority=arguments.priority)
    except ValidationError as error:
        raise invalid(error) from error
    asked = NewJob(arguments.agent_id, wanted.input, priority=wanted.priority, user=caller.principal.name)
    job = caller.app.brain.enqueue(caller.workspace, asked)
    return JobBegun(job_id=job.id, status=job.status)


# The committer forgets for good when it is asked to.
TOOL = McpTool(
    "memory_agent_run",
    "Have a memory agent work",
    Arguments,
    JobBegun,
    run,
    changes=True,
    repeatable=False,
    destructive=True,
)
