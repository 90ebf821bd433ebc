"""The port of the session stores, and the narrower one of what lies below the checks that all stores share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from shared.contracts.sessions import CheckpointEntry, CheckpointEnvelope, Retention, SessionStoreKind

PAGE = 50
PAGE_MAX = 100
"""The most that the session service of Vertex AI gives at once."""


@dataclass(frozen=True)
class Page:
    """A piece of a listing, and the cursor of the next one."""

    entries: tuple[CheckpointEntry, ...]
    next_cursor: str | None = None


KEPT_FOR_GOOD = Retention(
    who="Nobody",
    active=False,
    how="Nothing expires by itself: memex sessions forget removes a conversation.",
)
"""The retention of a store that only a person takes something out of."""


class Checkpoints(Protocol):
    """All that a conversation needs."""

    def hydrate(self, session_id: str) -> CheckpointEnvelope | None:
        """What was saved last; None only where nothing ever was.

        Raises UnknownFormat and UnreadableCheckpoint for what is there and cannot be read, Transient without an answer.
        """
        ...

    def persist(self, session_id: str, envelope: CheckpointEnvelope) -> None:
        """Save it. The same envelope again changes nothing.

        Raises VersionConflict where what is stored is not older, OwnerChanged, InvalidCheckpoint, CheckpointTooLarge,
        what `hydrate` raises of what is there, and Transient when it is not known to be saved.
        """
        ...


class SessionStore(Checkpoints, Protocol):
    """A real store. After `close` every call but `close` raises StoreClosed."""

    @property
    def kind(self) -> SessionStoreKind: ...

    @property
    def where(self) -> str:
        """The place, as an operator knows it: a file, a collection, the parent resource."""
        ...

    @property
    def about(self) -> str:
        """What whoever chooses this store must know, in a sentence."""
        ...

    def forget(self, session_id: str) -> bool:
        """Remove a session, readable or not, and whatever belongs to it; whether there was one. Idempotent."""
        ...

    def list_by_user(self, owner: str | None, *, limit: int = PAGE, cursor: str | None = None) -> Page:
        """The sessions of a principal (None: those without one), the one saved last first."""
        ...

    def owner_of(self, session_id: str) -> str | None:
        """Whose session it is; None where there is none, or it is nobody's. Raises as `hydrate` does."""
        ...

    def retention(self) -> Retention:
        """Who lets sessions expire, whether that is active, and how it is switched on."""
        ...

    def close(self) -> None:
        """Let go of what is held. Idempotent and final."""
        ...


@dataclass(frozen=True)
class Head:
    """What decides whether a save is let through; `digest` is that of the whole envelope."""

    version: int
    owner: str | None
    digest: str


@dataclass(frozen=True)
class Sealed:
    """An envelope that was checked, with its text and its head."""

    session_id: str
    envelope: CheckpointEnvelope
    text: str
    head: Head


@dataclass(frozen=True)
class Stored:
    """What lies in a shelf under an id: the text of an envelope, whatever it holds, and whose it is said to be."""

    text: str
    owner: str | None = None


Decide = Callable[[Head | None], bool]
"""Whether to write over what is there; raises VersionConflict or OwnerChanged."""


class Shelf(Protocol):
    """Where texts lie. It trusts its arguments: `Store` has checked them."""

    @property
    def kind(self) -> SessionStoreKind: ...

    @property
    def where(self) -> str: ...

    @property
    def about(self) -> str: ...

    @property
    def max_bytes(self) -> int:
        """The longest text it takes, in UTF-8."""
        ...

    def read(self, session_id: str) -> Stored | None: ...

    def write(self, sealed: Sealed, decide: Decide) -> None:
        """Ask `decide` about what is there, and write if it says so, as one step where that can be."""
        ...

    def remove(self, session_id: str) -> bool: ...

    def page(self, owner: str | None, limit: int, cursor: str | None) -> Page: ...

    def retention(self) -> Retention: ...

    def close(self) -> None: ...
