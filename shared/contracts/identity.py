"""What the API tells a caller of themselves."""

from __future__ import annotations

from shared.contracts.base import Model, UtcDatetime
from shared.contracts.members import Role


class MeAnswer(Model):
    """GET /api/v1/me: who the caller is here. An operator has no workspace."""

    workspace: str
    role: Role
    name: str
    """As it stands in logs and events."""
    expires_at: UtcDatetime | None
    """When what they came with ends; null for a token without an end."""
