"""Trying again what failed in passing: before the first piece of an answer only, and never past a cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from shared.errors import Transient
from shared.gateway.transport import Cut, TransportError

T = TypeVar("T")

_LONGEST_SECONDS = 8.0
"""A service that asks for more than that is not waited for: whoever called decides."""


@dataclass(frozen=True)
class Retries:
    """At most `tries` requests, with pauses that double, or as long as the service asks for."""

    tries: int = 3
    first_seconds: float = 0.5

    def stream(self, begin: Callable[[], Iterator[T]], cut: Cut) -> Iterator[T]:
        """What `begin` gives. Once a piece was given, or the cut came, what fails is raised."""
        for attempt in range(1, self.tries + 1):
            given = False
            try:
                for piece in begin():
                    given = True
                    yield piece
                return
            except Transient as failure:
                if given or attempt == self.tries or not self._pause(failure, attempt, cut):
                    raise

    def _pause(self, failure: Transient, attempt: int, cut: Cut) -> bool:
        """Wait for the next try; whether there is to be one."""
        if cut.reason or (isinstance(failure, TransportError) and failure.reason in ("deadline", "too_large")):
            return False
        asked = failure.details.get("asked_seconds")
        seconds = float(asked) if asked is not None else self.first_seconds * 2 ** (attempt - 1)
        return seconds <= _LONGEST_SECONDS and not cut.wait(seconds)


ONCE = Retries(tries=1)
EMBEDDING = Retries()
"""Nobody keeps a journal of embeddings, and asking twice costs next to nothing."""
