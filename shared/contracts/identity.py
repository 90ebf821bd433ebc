"""Who calls: the roles of people, and what the API tells a caller of themselves."""

from __future__ import annotations

from enum import StrEnum

from shared.contracts.base import Model


class Role(StrEnum):
    """What a caller may do in a workspace: each may what those before it may.

    `operator` is no member of anything: it may create workspaces and switch spending, and sees nothing inside one.
    """

    READER = "reader"
    MEMBER = "member"
    OWNER = "owner"
    OPERATOR = "operator"

    def covers(self, least: Role) -> bool:
        """Whether who has this role may do what takes at least `least`."""
        if Role.OPERATOR in (self, least):
            return self is least
        order = (Role.READER, Role.MEMBER, Role.OWNER)
        return order.index(self) >= order.index(least)


class MeAnswer(Model):
    """GET /api/v1/me: who the caller is here. An operator has no workspace."""

    workspace: str
    role: Role
    name: str
    """As it stands in logs and events."""
