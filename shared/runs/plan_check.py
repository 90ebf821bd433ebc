"""A plan as the model wrote it, checked by code: its shape, its size, its tools, its dependencies."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from shared.contracts.run_calls import PlanDraft, PlanDraftStep
from shared.errors import ModelOutputError
from shared.invalid import problems

SUB_AGENT = "sub_agent"
_FENCED = re.compile(r"\A\s*```(?:json)?\s*(.*?)\s*```\s*\Z", re.DOTALL)
_PROBLEMS = 5


def checked(text: str, *, most: int, tools: Iterable[str]) -> tuple[PlanDraftStep, ...]:
    """The steps of the plan, in an order in which each comes after those it depends on.

    Raises ModelOutputError with all that is to be mended, in words for the model.
    """
    try:
        draft = PlanDraft.model_validate(json.loads(_bare(text)))
    except ValidationError as error:
        raise ModelOutputError("; ".join(_shape(error))) from error
    except ValueError as error:
        raise ModelOutputError(f"The answer is no JSON: {error}.") from error
    problems = list(_problems(draft.steps, most, frozenset(tools)))
    if problems:
        raise ModelOutputError(" ".join(problems[:_PROBLEMS]))
    return ordered(draft.steps)


def ordered(steps: Sequence[PlanDraftStep]) -> tuple[PlanDraftStep, ...]:
    """The steps so that each comes after those it depends on, otherwise as they were; without those in a circle."""
    left, done = list(steps), dict[str, PlanDraftStep]()
    while ready := [step for step in left if all(name in done for name in step.depends_on)]:
        done |= {ready[0].id: ready[0]}
        left.remove(ready[0])
    return tuple(done.values())


def schema(tools: Iterable[str]) -> Mapping[str, Any]:
    """What the model's answer must be, as JSON Schema."""
    text = {"type": "string"}
    properties = {
        "id": text,
        "title": text,
        "task": text,
        "tool": {"type": "string", "enum": [SUB_AGENT, *tools]},
        "depends_on": {"type": "array", "items": text},
    }
    step = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "object", "properties": {"steps": {"type": "array", "items": step}}, "required": ["steps"]}


def _bare(text: str) -> str:
    fenced = _FENCED.match(text)
    return fenced[1] if fenced else text


def _shape(error: ValidationError) -> list[str]:
    return list(map(": ".join, problems(error, whole="the answer")[:_PROBLEMS]))


def _problems(steps: Sequence[PlanDraftStep], most: int, tools: frozenset[str]) -> Iterable[str]:
    names = [step.id for step in steps]
    if len(steps) > most:
        yield f"There are {len(steps)} steps, {most} at most."
    yield from (f"The id {name} is there twice." for name in sorted({one for one in names if names.count(one) > 1}))
    for step in steps:
        if step.tool not in tools and step.tool != SUB_AGENT:
            yield f"{step.id}: there is no tool {step.tool[:60]}; there are {', '.join([SUB_AGENT, *sorted(tools)])}."
        unknown = [name for name in step.depends_on if name not in names]
        if unknown:
            yield f"{step.id} depends on {', '.join(unknown)[:200]}, which is no step."
    if len(set(names)) == len(names) and all(name in names for step in steps for name in step.depends_on):
        circle = sorted(set(names) - {step.id for step in ordered(steps)})
        if circle:
            yield f"{', '.join(circle)} wait for each other in a circle."
