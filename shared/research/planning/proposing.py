"""The service has made a plan: it is shown, its execution ends, and the operation waits for a person's word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from shared.contracts.events import EventType
from shared.contracts.limits import PLAN_CHARACTERS
from shared.contracts.operations import Operation, OperationStatus
from shared.contracts.plans import ResearchPlan
from shared.operations.ending import Last
from shared.research import attempts
from shared.research.planning.estimating import Estimate, estimate, planning_usd
from shared.research.ports import Ports
from shared.research.report.parts import join
from shared.store.streams import Append

_TOLD = (
    "revision",
    "drafts",
    "text",
    "estimate_low_usd",
    "estimate_high_usd",
    "estimate_low_minutes",
    "estimate_high_minutes",
    "estimate_basis",
    "planning_usd",
    "expires_at",
)


@dataclass(frozen=True)
class Proposal:
    """A plan of the service, with what its run may cost."""

    text: str
    estimate: Estimate

    @classmethod
    def of(cls, ports: Ports, workspace: str, steps: Sequence[Mapping[str, Any]]) -> Proposal | None:
        """The plan in the steps of a planning interaction; None where there is no word of one."""
        text = join(steps).text.strip()[:PLAN_CHARACTERS]
        return cls(text, estimate(ports.store(workspace), ports.settings.research_agent)) if text else None

    def commit(self, ports: Ports, operation: Operation, brought: Last) -> Append:
        """What the last look at it brought and the plan, in one commit that leaves nobody in charge.

        The fence rises, so that whatever the execution that ends with this still says is refused.
        """
        looked = Operation.model_validate({**operation.model_dump(), **brought.update})
        plan = self._plan(ports, looked)
        told = {name: getattr(plan, name) for name in _TOLD}
        update = {
            **brought.update,
            "status": OperationStatus.AWAITING_APPROVAL.value,
            "plan": plan.model_dump(),
            "fence": operation.fence + 1,
            "execution": None,
            "claimed": False,
            "launch_expires_at": None,
            "callback_url": None,
            "error": None,
            "updated_at": ports.now(),
        }
        return Append(update, (*brought.events, ports.event(EventType.PLAN_PROPOSED, **told)))

    def _plan(self, ports: Ports, operation: Operation) -> ResearchPlan:
        now, before, made_by = ports.now(), operation.plan, attempts.current(operation)
        assert made_by is not None and made_by.interaction_id is not None  # it was looked at just now
        return ResearchPlan(
            text=self.text,
            revision=before.revision + 1 if before else 1,
            drafts=before.drafts + 1 if before else 1,
            proposed_at=now,
            expires_at=now + timedelta(days=ports.settings.research_plan_days),
            interaction_id=made_by.interaction_id,
            note_digest=made_by.note_digest,
            planning_usd=planning_usd(operation),
            **self.estimate.fields,
        )
