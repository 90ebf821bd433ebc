"""What the service is sent in each round: for a plan, for another one, and for the run by the approved one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.contracts.operations import Operation
from shared.contracts.plans import ResearchPlan
from shared.research.planning.phase import makes_plan

PREVIOUS = "previous_interaction_id"


def planned(request: Mapping[str, Any], operation: Operation) -> dict[str, Any]:
    """The create request of a research run, as it is for the operation's round.

    Instruction and notes are in the first of a chain; later ones have them again where the note has changed, or where
    the service has forgotten what went before.
    """
    planning, plan = makes_plan(operation), operation.plan
    config = {**request["agent_config"], "collaborative_planning": planning}
    if plan is None:
        return {**request, "agent_config": config}
    said = _another(plan) if planning else _approved(plan)
    whole = f"{request['input']}\n\n{said}" if plan.detached or plan.note_changed else said
    chained = {} if plan.detached else {PREVIOUS: plan.interaction_id}
    return {**request, "agent_config": config, "input": whole, **chained}


def _approved(plan: ResearchPlan) -> str:
    return f"This research plan is approved. Carry it out exactly as it stands here:\n\n{plan.text}\n"


def _another(plan: ResearchPlan) -> str:
    asked = f"Make the research plan anew, with this difference: {plan.change}\n"
    if not plan.edited_by_person and not plan.detached:
        return asked
    return f"{asked}\nThe plan as it stands:\n\n{plan.text}\n"
