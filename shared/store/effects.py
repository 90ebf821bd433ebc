"""effects/{key}: what a call has done, written in the same commit as the change it made. So it is done once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Protocol

from shared.clock import Clock
from shared.errors import Conflict, Transient
from shared.store import paths
from shared.store.database import Database
from shared.store.errors import Contention, Uncertain
from shared.store.event_size import fitted
from shared.store.writes import Snapshot, Write, create

KEPT = timedelta(days=30)
"""Much longer than anything is repeated that was begun."""
_TRIES = 6

Also = Callable[[Mapping[str, Any]], tuple[Write, ...]]


class Stale(Conflict):
    """The target is not as it was when the change was proposed."""


class Once(Protocol):
    """What a change asks of the effect it belongs to."""

    @property
    def happened(self) -> bool:
        """Whether it was made before, so that nothing is left to do."""
        ...

    def writes(self, answer: Mapping[str, Any]) -> tuple[Write, ...]:
        """What belongs into the commit of the change."""
        ...

    def check(self, target: Snapshot) -> None:
        """Raises Stale when the change was meant for another state of the target."""
        ...


class _EachTime:
    happened = False

    def writes(self, _answer: Mapping[str, Any]) -> tuple[Write, ...]:
        return ()

    def check(self, _target: Snapshot) -> None:
        return


EACH_TIME: Once = _EachTime()
"""Of a change that has no key: it is made whenever it is asked for."""


def _nothing(_answer: Mapping[str, Any]) -> tuple[Write, ...]:
    return ()


def revision_of(target: Snapshot) -> str:
    """A document's state by name: its update time as RFC 3339, or "none" where it does not exist."""
    return rfc3339(target.update_time) if target.fields is not None and target.update_time is not None else "none"


def rfc3339(moment: datetime) -> str:
    """To the microsecond, which is what Firestore keeps."""
    utc = datetime.fromtimestamp(0, timezone.utc) + (moment - datetime.fromtimestamp(0, timezone.utc))
    return utc.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Effects:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock

    def find(self, key: str) -> dict[str, Any] | None:
        """What the call of that key answered; None when it has not happened."""
        fields = self._database.get(paths.effect(key)).fields
        return None if fields is None else dict(fields.get("answer") or {})

    def marker(self, key: str, answer: Mapping[str, Any]) -> Write:
        """The write that says it happened; a commit with it fails when it had happened before."""
        now = self._clock.now()
        fields = {"v": 1, "answer": fitted(answer), "created_at": now, "expire_at": now + KEPT}
        return create(paths.effect(key), fields)

    def commit(self, writes: tuple[Write, ...]) -> None:
        self._database.commit(writes, "effect.settle")

    def pause(self, attempt: int) -> None:
        self._database.pause(attempt)


@dataclass(frozen=True)
class Effect:
    """A change that happens once. Whoever makes it commits `writes(answer)` together with it."""

    effects: Effects
    key: str
    also: Also = _nothing
    """Further writes of the same commit, made anew for each try; what it raises ends the change."""
    revision: str | None = None
    """`revision_of` the one document that is changed, as it must still be."""

    @property
    def happened(self) -> bool:
        return self.effects.find(self.key) is not None

    def writes(self, answer: Mapping[str, Any]) -> tuple[Write, ...]:
        """The marker, and what else belongs into the commit."""
        return self.effects.marker(self.key, answer), *self.also(answer)

    def check(self, target: Snapshot) -> None:
        """Raises Stale when the target has been written since."""
        self.check_revision(revision_of(target))

    def check_revision(self, revision: str) -> None:
        """The same for a state that is known by name."""
        if self.revision is not None and revision != self.revision:
            raise Stale("What it would change has been changed since: look at it, and propose it anew.", reason="stale")

    def settle(self, answer: Mapping[str, Any], writes: Callable[[], tuple[Write, ...]] = tuple) -> dict[str, Any]:
        """What this effect answered when it happened; if it has not, commit `writes` with it and answer `answer`.

        Raises Transient when it did not get through.
        """
        for attempt in range(_TRIES):
            if attempt:
                self.effects.pause(attempt)
            if (known := self.effects.find(self.key)) is not None:
                return known
            try:
                self.effects.commit((*self.writes(answer), *writes()))
            except (Contention, Uncertain):
                continue
            return fitted(answer)
        raise Transient("It could not be written just now: try again.", retry_after_seconds=2.0)
