"""Executions keep the YAML they were started with: today's functions take what it sends, and say what it reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from shared.contracts.brain_drain import (
    DrainAnswer,
    DrainFailRequest,
    DrainLaneAnswer,
    DrainRequest,
    DrainStartAnswer,
    DrainStartRequest,
)
from shared.contracts.chat import CarryOnAnswer, CarryOnRequest
from shared.contracts.documents import ExtractStartAnswer, ExtractStartRequest, ExtractStepAnswer, ExtractStepRequest
from shared.contracts.research import (
    FailAnswer,
    FailRequest,
    ListenRequest,
    PollAnswer,
    PollRequest,
    StartAnswer,
    StartRequest,
)
from shared.contracts.run_calls import LaneAnswer, PhaseAnswer, PlanRequest, RunFailRequest, WorkRequest
from shared.contracts.workspace_deletions import (
    DeletionFailRequest,
    DeletionStartRequest,
    DeletionStepAnswer,
    DeletionStepRequest,
)
from tests.corpus.shapes import WORKFLOWS

ROOT = Path(__file__).parents[2]
VERBS: Mapping[str, Mapping[str, tuple[type[BaseModel], type[BaseModel]]]] = {
    "research": {
        "start": (StartRequest, StartAnswer),
        "listen": (ListenRequest, PollAnswer),
        "poll": (PollRequest, PollAnswer),
        "fail": (FailRequest, FailAnswer),
    },
    "extract": {
        "start": (ExtractStartRequest, ExtractStartAnswer),
        "step": (ExtractStepRequest, ExtractStepAnswer),
        "fail": (FailRequest, FailAnswer),
    },
    "turn": {"carry_on": (CarryOnRequest, CarryOnAnswer)},
    "agent_run": {
        "plan": (PlanRequest, PhaseAnswer),
        "step": (WorkRequest, LaneAnswer),
        "checkpoint": (WorkRequest, PhaseAnswer),
        "synthesise": (WorkRequest, PhaseAnswer),
        "fail": (RunFailRequest, PhaseAnswer),
    },
    "brain": {
        "start": (DrainStartRequest, DrainStartAnswer),
        "run": (DrainRequest, DrainLaneAnswer),
        "next": (DrainRequest, DrainAnswer),
        "fail": (DrainFailRequest, DrainAnswer),
    },
    "workspace_deletion": {
        "start": (DeletionStartRequest, DeletionStepAnswer),
        "step": (DeletionStepRequest, DeletionStepAnswer),
        "fail": (DeletionFailRequest, DeletionStepAnswer),
    },
}
SOURCES = [*sorted(WORKFLOWS.glob("*.yaml")), *sorted((ROOT / "workflows").glob("*.yaml"))]


def calls(step: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every call of a verb in a workflow: its name and the body that it sends."""
    if isinstance(step, list):
        for one in step:
            yield from calls(one)
    elif isinstance(step, dict):
        arguments = step.get("args")
        if isinstance(arguments, dict) and isinstance(arguments.get("verb"), str) and "body" in arguments:
            yield arguments["verb"], arguments["body"]
        for one in step.values():
            yield from calls(one)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_each_verb_is_there_and_takes_what_the_yaml_sends(source: Path) -> None:
    verbs = VERBS[source.name.partition(".")[0]]
    found = list(calls(yaml.safe_load(source.read_text(encoding="utf-8"))))
    assert found
    for verb, body in found:
        request, _ = verbs[verb]
        assert set(body) <= set(request.model_fields), f"{verb} does not take what it took"
        required = {name for name, one in request.model_fields.items() if one.is_required()}
        assert required <= set(body), f"{verb} wants what the YAML does not send: give it a default"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_what_the_yaml_reads_of_answers_is_answered(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    read = set(re.findall(r"\banswer\.(\w+)", text))
    verbs = VERBS[source.name.partition(".")[0]]
    answered = {name for _, answer in verbs.values() for name in answer.model_fields}
    assert read and read <= answered


def test_every_workflow_has_its_first_yaml_here_once_runs_were_started_with_another() -> None:
    kept = {path.name.partition(".")[0] for path in WORKFLOWS.glob("*.yaml")}
    assert kept >= {path.stem for path in (ROOT / "workflows").glob("*.yaml")} - {"workspace_deletion"}
