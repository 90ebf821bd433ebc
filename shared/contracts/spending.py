"""The switch that pauses all spending: of the whole project, and of one workspace."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, StringConstraints

from shared.contracts.base import Model, Stored, UtcDatetime


def _switched(value: Any) -> Any:
    """Whoever edits the document by hand may write "yes" or 1: only a plain no is one."""
    return bool(value) and str(value).strip().lower() not in ("false", "no", "off", "0")


class SpendingSwitch(Stored):
    """system/spending, and `spending` of workspaces/{workspace}: whether spending is paused, and who said so when."""

    paused: Annotated[bool, BeforeValidator(_switched)] = False
    by: str = ""
    at: UtcDatetime | None = None
    reason: str = ""


class SpendingChange(Model):
    """PUT /spending."""

    paused: bool
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=300)] = ""


class SpendingAnswer(Model):
    """`paused`: whether either switch is off. Seen by every function within `within_seconds`."""

    paused: bool
    workspace: SpendingSwitch | None
    """None for the operator, who is in no workspace."""
    project: SpendingSwitch
    within_seconds: float
