"""Agent runs: a goal, the steps it is split into, and what each may use.

A run owns one event stream, which carries the frames of all its steps; each step owns a stream of its own for what its
sub-agent thinks, calls and is answered.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, StringConstraints

from shared.contracts.base import Model, Stored, UtcDatetime
from shared.contracts.limits import GOAL_CHARACTERS
from shared.contracts.operations import Failure, Usage
from shared.contracts.sources import Source
from shared.contracts.texts import telling


class RunStatus(StrEnum):
    """How far a run is; the last three are never left."""

    QUEUED = "queued"
    PLANNING = "planning"
    RUNNING = "running"
    SYNTHESISING = "synthesising"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def terminal(self) -> bool:
        return self in (RunStatus.SUCCEEDED, RunStatus.FAILED, RunStatus.CANCELLED)


class StepStatus(StrEnum):
    """`pending` waits for others, for its time, or for a free lane; the last four are never left."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"

    @property
    def terminal(self) -> bool:
        return self not in (StepStatus.PENDING, StepStatus.RUNNING)


class StepKind(StrEnum):
    """What a step does; a tool call is shown below the step whose sub-agent made it."""

    PLAN = "plan"
    TOOL_CALL = "tool_call"
    SUB_AGENT = "sub_agent"
    SYNTHESIS = "synthesis"


class Budget(Stored):
    """How much may be, or was, used: tokens in and out, tool calls, money by list price."""

    tokens: int = 0
    calls: int = 0
    usd: float = 0.0

    def __add__(self, other: Budget) -> Budget:
        return Budget(tokens=self.tokens + other.tokens, calls=self.calls + other.calls, usd=self.usd + other.usd)

    def __sub__(self, other: Budget) -> Budget:
        return Budget(tokens=self.tokens - other.tokens, calls=self.calls - other.calls, usd=self.usd - other.usd)

    def share(self, parts: int) -> Budget:
        """One of so many equal parts, and no less than nothing."""
        tokens, calls, usd = max(0, self.tokens), max(0, self.calls), max(0.0, self.usd)
        return Budget(tokens=tokens // parts, calls=calls // parts, usd=usd / parts)


class Ledger(Stored):
    """The run's account: what it may use, what its steps under way were granted of it, what ended steps used."""

    limits: Budget
    granted: Budget = Budget()
    used: Budget = Budget()

    @property
    def left(self) -> Budget:
        return self.limits - self.granted - self.used


class PlannedStep(Stored):
    """A step as it was planned. `tool` names the one tool it is for; None is a sub-agent with all of them."""

    step_id: str
    index: int
    title: str
    tool: str | None = None
    depends_on: tuple[str, ...] = ()


class _Run(BaseModel):
    """What is stored of a run and shown of it."""

    id: str
    session_id: str | None = None
    """The chat that began it; its answer is said there too."""
    turn_id: str | None = None
    operation_id: str | None = None
    user: str = ""
    """On whose word: api, or chat_sessions/{id}."""
    status: RunStatus = RunStatus.QUEUED
    goal: str
    plan: tuple[PlannedStep, ...] = ()
    created_at: UtcDatetime
    updated_at: UtcDatetime
    started_at: UtcDatetime | None = None
    finished_at: UtcDatetime | None = None
    deadline_at: UtcDatetime | None = None
    """No step is begun after it, and those under way end with what they have."""
    error: Failure | None = None
    total_tokens_in: int = 0
    total_tokens_out: int = 0
    cost_usd: float = 0.0
    tool_calls: int = 0
    model_name: str = ""
    stop_reason: str = ""
    """end | iterations | tokens | calls | usd | time | cancelled | error: why no more was done"""
    answer_note_id: str | None = None
    ledger: Ledger
    seq: int = 0
    """The number of the last event of the run's stream."""


class AgentRun(Stored, _Run):
    """workspaces/{workspace}/agent_runs/{id}; frames hang below it in events/, its steps in steps/."""

    usage: Usage = Usage()
    """Of all steps that ended."""
    active: bool = True
    """Until its end."""
    fence: int = 0
    """Rises with each execution that takes the run over; calls of one with a lower number are superseded."""
    execution: str | None = None
    """The execution that was started for, or has claimed, this run."""
    claimed: bool = False
    """Whether `execution` has called."""
    launch_expires_at: UtcDatetime | None = None
    """Until then someone is starting an execution; nobody else may."""
    launches: int = 0
    traceparent: str = ""
    """The trace that it was begun in, as W3C writes it, where spans are recorded."""
    waits_since: UtcDatetime | None = None
    """Since when it waits for spending to go on; its time stands still meanwhile."""
    tell_pending: bool = False
    """It has ended, and its session may not have been told yet."""


class NumberedSource(Stored):
    """A source under the id that answers cite it by: index of the step, a dot, number in the step, such as 2.3."""

    id: str
    source: Source


class StepOutcome(Stored):
    """How a step's sub-agent ended, before the run has taken it into account."""

    stop_reason: str
    answer: str = ""
    error: Failure | None = None
    passing: bool = False
    """The error may be gone when the step is tried again."""


class _Step(BaseModel):
    """What is stored of a step and shown of it."""

    id: str
    run_id: str
    index: int
    """0 is the plan; the last one is the synthesis."""
    parent_step_id: str | None = None
    kind: StepKind
    title: str
    status: StepStatus = StepStatus.PENDING
    depends_on: tuple[str, ...] = ()
    tool_name: str | None = None
    started_at: UtcDatetime | None = None
    finished_at: UtcDatetime | None = None
    error: Failure | None = None
    attempt: int = 0
    """How often it was begun; taking it over from a lost worker is none."""
    stop_reason: str = ""
    summary: str = ""
    """What the sub-agent found, with the ids of sources in brackets."""
    sources: tuple[NumberedSource, ...] = ()
    """What its tools brought in, each of which may be cited."""


class RunStep(Stored, _Step):
    """…/agent_runs/{run}/steps/{id}; what happens in it hangs below in events/, the model's answers in answers/."""

    task: str = ""
    """What its sub-agent is told to do."""
    created_at: UtcDatetime
    updated_at: UtcDatetime
    run_after: UtcDatetime | None = None
    """A step that failed in passing is not begun again before."""
    fence: int = 0
    """Rises with each worker that takes the step over; a commit of one with a lower number is refused."""
    lease_expires_at: UtcDatetime | None = None
    """Until then its worker is supposed to live (judged by the server's read time)."""
    budget: Budget = Budget()
    """What the run's ledger has granted to it."""
    seq: int = 0
    iteration: int = 0
    calls: int = 0
    usage: Usage = Usage()
    outcome: StepOutcome | None = None


Goal = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=GOAL_CHARACTERS),
    AfterValidator(telling),
]


class RunCreate(Model):
    """POST /api/v1/agent_runs. Idempotency-Key names the run; with `session_id` its answer is said in that chat too."""

    goal: Goal
    session_id: str | None = None


class StepView(Model, _Step):
    """A step as it is shown, with the tool calls that its sub-agent made below it."""

    tool_input: dict[str, Any] | None = None
    tool_output: dict[str, Any] | None = None
    """Cut to what a page shows, with a marker."""
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0
    summary_html: str = ""
    """Only where it is asked for."""
    steps: tuple[StepView, ...] = ()


class RunView(Model, _Run):
    """A run as it is shown."""


class RunWithSteps(RunView):
    """`answer_text` is what was written so far of an answer that is being written."""

    steps: tuple[StepView, ...] = ()
    answer_text: str = ""
    answer_html: str = ""
    """The same as HTML, where it is asked for."""


class RunAnswer(Model):
    run: RunView


class RunStepsAnswer(Model):
    run: RunWithSteps


class RunsAnswer(Model):
    """Newest first."""

    runs: tuple[RunView, ...]
    next_cursor: str | None = None


class RunCancelAnswer(Model):
    """`cancelled` is False when there was nothing to cancel any more; `message` says why."""

    run: RunView
    cancelled: bool
    message: str
