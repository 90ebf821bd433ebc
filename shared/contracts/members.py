"""Members: which people may come into a workspace, and what each may do there."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator

from shared.contracts.base import Model, Stored, UtcDatetime
from shared.contracts.limits import EMAIL_CHARACTERS

_EMAIL = re.compile(r"[^\s@\x00-\x1f\x7f,;:<>()\[\]\\\"]+@[^\s@\x00-\x1f\x7f,;:<>()\[\]\\\"]+\.[^\s@.,;:<>()\[\]\\\"]+")


class Role(StrEnum):
    """What a caller may do: a reader reads, a member changes and spends, an owner decides about the workspace itself.

    An operator makes workspaces and is in none of them.
    """

    READER = "reader"
    MEMBER = "member"
    OWNER = "owner"
    OPERATOR = "operator"

    def may(self, least: Role) -> bool:
        """Whether this role may do what needs at least that one; the operator's is no part of the order."""
        if Role.OPERATOR in (self, least):
            return self is least
        return _ORDER.index(self) >= _ORDER.index(least)


_ORDER = (Role.READER, Role.MEMBER, Role.OWNER)
MemberRole = Literal[Role.READER, Role.MEMBER, Role.OWNER]


def email_of(given: str) -> str:
    """An address as it is stored and compared: trimmed, in small letters. Raises ValueError for what is none."""
    email = given.strip().lower()
    if len(email) > EMAIL_CHARACTERS or not _EMAIL.fullmatch(email):
        raise ValueError("must be an address such as ada@example.com")
    return email


Email = Annotated[str, AfterValidator(email_of)]


class Member(Stored):
    """workspaces/{workspace}/members/{derived from the email}: a person who may come in."""

    email: Email
    role: MemberRole
    added_at: UtcDatetime
    added_by: str = ""
    """Who let them in, as logs name callers; empty for the operator who made the workspace."""


class MemberPut(Model):
    """PUT /api/v1/workspace/members/{email}."""

    role: MemberRole


class MemberAnswer(Model):
    member: Member


class MembersAnswer(Model):
    """By email."""

    members: tuple[Member, ...]
