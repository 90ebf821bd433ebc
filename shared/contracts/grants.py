"""Static tokens: what API_TOKENS says of each, as text and as values. Of a token only its SHA-256 is ever kept."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timezone

from shared.contracts.members import Role

_ENTRY = re.compile(
    r"(?P<digest>[0-9A-Fa-f]{64})\s*=\s*(?P<workspace>\*|[A-Za-z0-9_-]{1,128})(?::(?P<role>[a-z]+))?(?:@(?P<until>\S+))?"
)
_FORM = "each entry must be 64 hexadecimal digits, = and a workspace, then perhaps :role and @2026-12-31T00:00:00Z"


@dataclass(frozen=True)
class Grant:
    """One token: whose it is, what it may do, and until when. The operator's has no workspace."""

    digest: str
    """The SHA-256 of the token, in small hexadecimal digits."""
    workspace: str
    role: Role = Role.OWNER
    valid_until: datetime | None = None

    @property
    def name(self) -> str:
        """What tells tokens apart in logs without giving them away."""
        return f"token-{self.digest[:8]}"

    def ended(self, now: datetime) -> bool:
        return self.valid_until is not None and now >= self.valid_until

    def text(self) -> str:
        """The entry of API_TOKENS."""
        role = "" if self.role is Role.OWNER else f":{self.role}"
        until = f"@{self.valid_until.strftime('%Y-%m-%dT%H:%M:%SZ')}" if self.valid_until is not None else ""
        return f"{self.digest}={self.workspace or '*'}{role}{until}"


def digest_of(token: str) -> str:
    """The SHA-256 of a token as API_TOKENS has it."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def read(text: str) -> tuple[Grant, ...]:
    """The entries of API_TOKENS, which semicolons separate.

    Raises ValueError for what is none. It may be a token, written there by mistake, so it is not quoted.
    """
    found = tuple(_grant(entry.strip()) for entry in text.split(";") if entry.strip())
    if len({grant.digest for grant in found}) < len(found):
        raise ValueError("each token must stand there once")
    return found


def written(grants: Iterable[Grant]) -> str:
    """The value of API_TOKENS."""
    return ";".join(grant.text() for grant in grants)


def _grant(entry: str) -> Grant:
    match = _ENTRY.fullmatch(entry)
    if match is None:
        raise ValueError(_FORM)
    workspace, role = match["workspace"], match["role"] or Role.OWNER
    if role not in tuple(Role):
        raise ValueError(f"a role must be one of {', '.join(Role)}")
    if (workspace == "*") is not (role == Role.OPERATOR):
        raise ValueError("the operator's entry must be *:operator, and no other may have a * or that role")
    until = _moment(match["until"]) if match["until"] else None
    return Grant(match["digest"].lower(), workspace.removeprefix("*"), Role(role), until)


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise ValueError("what stands after @ must be a moment such as 2026-12-31T00:00:00Z")
    return moment.astimezone(timezone.utc)
