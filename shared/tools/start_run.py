"""The tool start_run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from shared.contracts.base import Model
from shared.contracts.runs import Goal
from shared.tools.quoting import quoted
from shared.tools.tool import Job, Preview, Tool

NAME = "start_run"
_SHOWN = 80


class Arguments(Model):
    goal: Annotated[
        Goal, Field(description="All that is wanted, in the person's language; whoever works on it sees nothing else.")
    ]


def run(job: Job, arguments: Arguments) -> Mapping[str, Any]:
    """Start an agent run and answer its run_id: for what takes many searches or several documents, such as comparing
    five companies or going through all contracts. It takes minutes and costs money; its answer comes into this
    conversation by itself, so say that it was started and do not wait. Not for what a few calls of your own can do."""
    return job.services.start_run(arguments.goal, job.actor, job.effect)


def preview(_job: Job, arguments: Arguments) -> Preview:
    return Preview(f"Start a run: {quoted(arguments.goal[:_SHOWN])} (costs money)", after={"goal": arguments.goal})


TOOL = Tool(NAME, Arguments, run, preview, timeout_seconds=30.0)
