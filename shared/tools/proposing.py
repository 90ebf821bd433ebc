"""A changing call becomes an approval: what it would do is stored exactly as it would be made, and waits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.contracts.approvals import Approval
from shared.contracts.base import Model
from shared.ids import derived
from shared.store.approvals import creating
from shared.tools.tool import Job, Tool

_WAITS = "Proposed, nothing has changed: a person decides."
_WAITS_FOR_WEB = (
    "Not done, but proposed, since web content was read in this turn: it waits for the person under Approvals. Say so "
    "in your answer, by the title, with the link [Approvals](#/approvals), and do not call the tool again for it."
)


def propose(job: Job, tool: Tool[Any], arguments: Model, *, reason: str = "") -> Mapping[str, Any]:
    """Store the call as an approval, once for each effect key. Raises what the preview raises, such as NotFound.

    What a person reads first is the preview's: who proposes could say something else than it would do.
    """
    effect = job.effect
    if (known := job.store.effects.find(job.effect_key)) is not None:
        return known
    assert tool.preview is not None  # a tool that mutates has one
    shown = tool.preview(job, arguments)
    now = job.clock.now()
    approval = Approval(
        id=derived("approval", job.store.workspace, job.effect_key),
        title=shown.title,
        reason=reason,
        tool=tool.name,
        arguments=arguments.model_dump(mode="json", exclude_unset=True),
        proposed_by=job.actor,
        target=shown.target,
        target_revision=shown.revision,
        before=dict(shown.before),
        after=dict(shown.after),
        created_at=now,
        updated_at=now,
    )
    message = _WAITS_FOR_WEB if job.web_read else _WAITS
    answer = {"approval_id": approval.id, "status": approval.status.value, "title": approval.title, "message": message}
    return effect.settle(answer, lambda: (creating(approval),))
