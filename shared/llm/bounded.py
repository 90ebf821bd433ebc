"""The bounds of one question to a model, whatever the service: its deadline, its cut, its retries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from shared.errors import MemexError
from shared.gateway.transport import Cut, TransportError, cut_error, ended_after
from shared.llm.retries import ONCE, Retries

T = TypeVar("T")


def bounded(
    begin: Callable[[Cut], Iterator[T]], *, deadline_seconds: float, cut: Cut, retries: Retries = ONCE
) -> Iterator[T]:
    """What `begin` gives under a handle that ends with `cut` or after `deadline_seconds`, pauses and retries included.

    Raises what `begin` raises, and TransportError once the handle was cut: a shut socket can look like anything.
    """
    with cut.inner() as handle, ended_after(deadline_seconds, handle):
        try:
            yield from retries.stream(lambda: begin(handle), handle)
        except MemexError as error:
            if handle.reason and not isinstance(error, TransportError):
                raise cut_error(handle) from error
            raise
