"""What `memex token` does to the tokens that there are: each change answers the tokens as they are then."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from infra.cli.errors import CliError
from shared.contracts.grants import Grant, digest_of
from shared.contracts.members import Role

Grants = tuple[Grant, ...]
PREFIX = "memex_"
FORGOTTEN_DAYS = 30
"""A token that ended longer ago is left out when the rest is written."""


@dataclass(frozen=True)
class Made:
    """A new token, which is shown once and kept nowhere, and what is kept of it."""

    token: str
    grant: Grant


def fresh(
    workspace: str, role: Role, until: datetime | None, source: Callable[[int], str] = secrets.token_urlsafe
) -> Made:
    """A token of 256 random bits."""
    token = f"{PREFIX}{source(32)}"
    return Made(token, Grant(digest_of(token), workspace, role, until))


def rotated(grants: Grants, name: str, ends: datetime, until: datetime | None) -> tuple[Grants, Made]:
    """A second token for the same workspace and role; the first one ends then, unless it ends before."""
    old = found(grants, name)
    made = fresh(old.workspace, old.role, until)
    return (*retired(grants, name, ends), made.grant), made


def retired(grants: Grants, name: str, ends: datetime) -> Grants:
    """The token ends then, unless it ends before."""
    old = found(grants, name)
    ends = min(ends, old.valid_until or ends)
    return tuple(replace(one, valid_until=ends) if one == old else one for one in grants)


def revoked(grants: Grants, name: str) -> Grants:
    """The token is gone."""
    old = found(grants, name)
    return tuple(one for one in grants if one != old)


def found(grants: Sequence[Grant], name: str) -> Grant:
    """The token of that name, token-1a2b3c4d. Raises CliError."""
    digits = name.lower().removeprefix("token-")
    matching = [grant for grant in grants if len(digits) >= 4 and grant.digest.startswith(digits)]
    if len(matching) != 1:
        told = "more than one token" if matching else "no token"
        raise CliError(f"There is {told} of the name {name[:80]}: memex token list has them.", code="not_found")
    return matching[0]


def kept(grants: Grants, now: datetime) -> Grants:
    """Without those that ended long ago."""
    line = now - timedelta(days=FORGOTTEN_DAYS)
    return tuple(grant for grant in grants if not grant.ended(line))
