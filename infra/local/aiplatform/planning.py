"""Collaborative planning: the agent answers with a plan, and carries it out when a later interaction says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from infra.local.aiplatform.prompt import parse_prompt, text_of
from infra.local.aiplatform.sections import questions_of

SHARE = 0.1
"""Of a run's time that its plan takes."""
_LABEL = "*(Planned by the emulated research agent of the local cloud, by rules; no model was asked.)*"
_CHANGE_CHARACTERS = 200
_QUESTIONS = 5


def is_planning(body: Mapping[str, Any]) -> bool:
    """Whether the request asks for a plan instead of a report."""
    return bool((body.get("agent_config") or {}).get("collaborative_planning"))


def plan_text(given: Any, earlier: str) -> str:
    """The plan as Markdown: made from the topic of the chain's first input, changed as the newest input says."""
    prompt = parse_prompt(f"{text_of(given)}\n{earlier}")
    subject = prompt.title or prompt.topic.partition("\n")[0] or "the topic"
    questions = questions_of(prompt)[:_QUESTIONS] or [f"What is known about {subject}?"]
    steps = [f"Answer: {question}" for question in questions]
    if prompt.notes:
        steps.insert(0, f"Read the {len(prompt.notes)} notes that came with the topic.")
    steps += ["Compare what the sources say.", "Write a report that cites each source."]
    if earlier:
        change = " ".join(text_of(given).split())[:_CHANGE_CHARACTERS]
        steps.insert(0, f"Mind what was asked for: {change}")
    numbered = "\n".join(f"{n}. {step}" for n, step in enumerate(steps, start=1))
    return f"## Research plan: {subject}\n\n{numbered}\n\n{_LABEL}\n"
