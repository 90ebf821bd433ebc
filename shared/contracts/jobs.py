"""Jobs of the brain: one piece of work of one agent, stored before it is done and until long after."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from pydantic import Field

from shared.contracts.base import Stored, UtcDatetime
from shared.contracts.operations import Failure, Usage

JOB_PRIORITY = 50
JOB_ATTEMPTS = 3
JOB_INPUT_BYTES = 32_000
JOB_OUTPUT_BYTES = 32_000
JOB_CHILDREN = 20
COUNT_SHARDS = 8
"""Documents that the counts of all agents are spread over; a look at the status reads these and no job."""


class JobStatus(StrEnum):
    """`pending` waits for its time, its parents or a worker; the last three are left by a person's retry alone."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def terminal(self) -> bool:
        return self not in (JobStatus.PENDING, JobStatus.RUNNING)


class MemoryJob(Stored):
    """workspaces/{workspace}/memory_jobs/{id}."""

    id: str
    kind: str
    """The agent's id."""
    status: JobStatus = JobStatus.PENDING
    priority: int = JOB_PRIORITY
    """0 to 100; the higher is worked on sooner."""
    attempts: int = 0
    """Those that failed, or whose worker was not heard of again."""
    max_attempts: int = JOB_ATTEMPTS
    run_after: UtcDatetime
    waiting_on: int = 0
    """So many parents are not done; with any, the job is not looked at."""
    children: tuple[str, ...] = ()
    """Jobs of its batch that wait for this one."""
    batch_id: str = ""
    """The job that began the batch, itself included."""
    parent_job_id: str | None = None
    """The job that asked for this one."""
    idempotency_key: str = ""
    """While a job of this agent with this key is in flight there is no second one; empty: any number."""
    user: str = ""
    """Who asked for it: a principal, or empty for what the workspace does by itself."""
    input: Mapping[str, Any] = Field(default_factory=dict)
    output: Mapping[str, Any] | None = None
    error: Failure | None = None
    """Of the last attempt that failed; it stays when a later one is done."""
    usage: Usage = Usage()
    model: str = ""
    """Which model worked on it; "rules" where none did, "" before."""
    fence: int = 0
    """Grows with each claim; a commit of an older one is refused."""
    worker: str = ""
    locked_at: UtcDatetime | None = None
    locked_until: UtcDatetime | None = None
    """When the sweep may take it for dead: twice the agent's timeout after locked_at."""
    created_at: UtcDatetime
    updated_at: UtcDatetime
    finished_at: UtcDatetime | None = None


class AgentCounts(Stored):
    """One agent's part of a shard. Each change of a job adds to it in the job's own commit, so the sums are exact."""

    pending: int = 0
    running: int = 0
    done: int = 0
    failed: int = 0
    cancelled: int = 0
    enqueued: int = 0
    """Only ever grows, with each job that becomes due anew as well: the generation of the queue."""
    candidates: int = 0
    admitted: int = 0
    refused: int = 0
    merged: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class CountShard(Stored):
    """workspaces/{workspace}/brain_counts/{n}."""

    agents: Mapping[str, AgentCounts] = Field(default_factory=dict)
    last_run_at: Mapping[str, UtcDatetime] = Field(default_factory=dict)
    """By agent, when a job of it last ended, as far as this shard saw."""
    last_model: Mapping[str, str] = Field(default_factory=dict)


class JobEvent:
    """Of a job that ended otherwise than done; in the stream of its agent."""

    FAILED = "job_failed"
    """data: {job_id, attempts, code, message}"""
    CANCELLED = "job_cancelled"
    """data: as of a failure"""


class BrainAgentRecord(Stored):
    """workspaces/{workspace}/brain/{agent}: the owner of the agent's event stream."""

    id: str
    seq: int = 0
