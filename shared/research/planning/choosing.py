"""Whether a plan is shown first: as it was asked for, else as the workspace has it, else as the setting does."""

from __future__ import annotations

from dataclasses import dataclass

from shared.contracts.events import EventType
from shared.errors import InputError
from shared.research.ports import Ports
from shared.store.streams import EventDraft

NO_PLANS = (
    "Only Deep Research of the Gemini API shows a plan first, and this Memex researches otherwise "
    "(RESEARCH_BACKEND, RESEARCH_ENGINE)."
)


@dataclass(frozen=True)
class Choice:
    """`events` say that a plan is wanted here in general, and that there are none."""

    plan_first: bool
    events: tuple[EventDraft, ...] = ()


def choose(ports: Ports, workspace: str, asked: bool | None) -> Choice:
    """One read where nobody has said. What was asked for in so many words is never dropped: it fails, unpaid."""
    if asked is not None:
        return Choice(asked)
    by_workspace = ports.store(workspace).usage.workspace().research_plan_first
    wanted = ports.settings.research_plan_first if by_workspace is None else by_workspace
    if wanted and not ports.settings.makes_plans:
        return Choice(False, (ports.event(EventType.PLAN_SKIPPED, message=f"{NO_PLANS} It begins without."),))
    return Choice(wanted)


def check(ports: Ports, asked: bool | None) -> None:
    """Raises InputError for a plan that is asked for where there are none."""
    if asked and not ports.settings.makes_plans:
        raise InputError(f"plan: {NO_PLANS} Ask without `plan`, and it begins at once.", field="plan")
