"""What is told of an interaction, and how thinly."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from infra.local.aiplatform.record import Record

_TYPES = {
    "completed": "interaction.completed",
    "failed": "interaction.failed",
    "incomplete": "interaction.failed",
    "budget_exceeded": "interaction.failed",
    "cancelled": "interaction.cancelled",
    "requires_action": "interaction.requires_action",
}
SUBSCRIBABLE = frozenset(
    {
        "batch.succeeded",
        "batch.expired",
        "batch.failed",
        "batch.cancelled",
        "interaction.requires_action",
        "interaction.completed",
        "interaction.failed",
        "interaction.cancelled",
        "video.generated",
    }
)
"""Those of batches and videos are taken and never happen: there are none."""


def event_of(record: Record, status: str, now: datetime) -> dict[str, Any] | None:
    """The event of an interaction that has come to that status; None for one of which nothing is told."""
    kind = _TYPES.get(status)
    if kind is None:
        return None
    data: dict[str, Any] = {"id": record.id}
    if kind == "interaction.failed":
        error = record.plan.errors[0] if record.plan.errors else {"code": status, "message": status}
        data |= {"error_code": error["code"], "error_message": error["message"]}
    return event(kind, now, data)


def event(kind: str, now: datetime, data: dict[str, Any]) -> dict[str, Any]:
    """The envelope of every webhook."""
    return {"type": kind, "version": "v1", "timestamp": now.strftime("%Y-%m-%dT%H:%M:%SZ"), "data": data}
