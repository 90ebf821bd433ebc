"""Where the service is, and how this Memex uses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

ANONYMOUS = "memex-anonymous"


class Token(Protocol):
    """Access tokens of the account that calls."""

    def __call__(self) -> str:
        """One that is good now. Raises Transient."""
        ...

    def renew(self) -> None:
        """The service refused the last one: the next shall be fresh."""
        ...


class FixedToken:
    """A token that is always the same, for a service that is emulated."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __call__(self) -> str:
        return self._text

    def renew(self) -> None:
        """There is no other."""


@dataclass(frozen=True)
class Place:
    """`ttl` such as "604800s" is sent when a session is created; "" sends none. `api` is v1 or v1beta1."""

    project: str
    location: str
    engine: str
    base_url: str = ""
    api: str = "v1"
    author: str = "memex"
    ttl: str = ""
    user_id: str | Callable[[str | None], str] = lambda owner: owner or ANONYMOUS
    """What the service keeps as the session's user, which never changes: metadata, and no permission. A text is the
    user of every session, a function is given the envelope's owner."""
    operation_seconds: float = 30.0
    """How long a create or a delete may take to be done."""
    poll_seconds: float = 0.5
    """The longest pause between two looks at an operation."""

    @property
    def parent(self) -> str:
        """The resource that the sessions lie under."""
        return f"projects/{self.project}/locations/{self.location}/reasoningEngines/{self.engine}"

    @property
    def root(self) -> str:
        return self.base_url.rstrip("/") or f"https://{self.location}-aiplatform.googleapis.com"

    def user_of(self, owner: str | None) -> str:
        return self.user_id if isinstance(self.user_id, str) else self.user_id(owner)

    def with_user(self, user_id: str) -> Place:
        """The same, with one user for all sessions."""
        return replace(self, user_id=user_id)
