"""What workflows/agent_run.yaml and the function `agent` say to each other, and what the planning model answers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from shared.contracts.base import Model
from shared.contracts.runs import RunStatus


class RunArgument(Model):
    """The argument of workflows/agent_run.yaml."""

    workspace: str
    run_id: str


class PlanRequest(RunArgument):
    """POST agent/plan: the execution takes the run over, and the goal becomes steps."""

    execution: str
    """The full resource name of the calling execution."""


class WorkRequest(RunArgument):
    """POST agent/step, agent/checkpoint, agent/synthesise, by the execution that has the run."""

    fence: int


class RunFailRequest(RunArgument):
    """POST agent/fail: the workflow's last resort, when the function could not be called any more."""

    fence: int = 0
    execution: str = ""
    message: str


RunNext = Literal["plan", "steps", "synthesise", "done"]
"""What the execution does next; `done` also where another execution has the run."""


class PhaseAnswer(Model):
    """What comes next, after so many seconds, on so many lanes."""

    next: RunNext
    status: RunStatus
    fence: int
    lanes: tuple[int, ...] = ()
    wait_seconds: float = 0.0


class LaneAnswer(Model):
    """Whether the lane asks again, after so many seconds."""

    more: bool
    wait_seconds: float = 0.0


class PlanDraft(Model):
    """What the planning model answers, as strict JSON."""

    steps: Annotated[tuple[PlanDraftStep, ...], Field(min_length=1)]


class PlanDraftStep(Model):
    """`tool` is sub_agent or the name of the one tool that the step needs."""

    id: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]
    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
    task: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)]
    tool: str = "sub_agent"
    depends_on: tuple[str, ...] = ()


PlanDraft.model_rebuild()
