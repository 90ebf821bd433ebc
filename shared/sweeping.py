"""One sweep over what may need mending: how many of each kind were mended; what could not be ends nothing."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Protocol

from shared.contracts.research import SweepAnswer
from shared.errors import MemexError, WorkspaceClosed
from shared.telemetry.context import working

log = logging.getLogger(__name__)

_FAILURES = 50


class Named(Protocol):
    """What was found, by its workspace and id."""

    @property
    def workspace(self) -> str: ...

    @property
    def id(self) -> str: ...


class Swept:
    """What a sweep has come to so far."""

    def __init__(self) -> None:
        self._mended: Counter[str] = Counter()
        self._failures: list[str] = []
        self._out_of_time = False

    def count(self, kind: str, number: int = 1) -> None:
        """So many were mended; the kinds are the fields of SweepAnswer, and `failed`."""
        self._mended[kind] += number

    def over(self, now: datetime, end: datetime) -> bool:
        """Whether the time is used up, which is noted."""
        late = now >= end
        self._out_of_time = self._out_of_time or late
        return late

    @contextmanager
    def noting(self, one: Named, *, busy: type[MemexError]) -> Iterator[None]:
        """What goes wrong with one is noted and left to the next sweep; `busy` says that someone is at it.

        What lies in a workspace that is being deleted is left alone.
        """
        try:
            with working(workspace=one.workspace):
                yield
        except (busy, WorkspaceClosed):
            return
        except MemexError as error:
            log.warning("sweep: %s/%r: %s", one.workspace, one.id, error.message)
            self._failed(one, error.code)
        except Exception:  # noqa: BLE001 - each thing is an edge of its own: whatever it was, it is logged and counted
            log.exception("sweep: %s/%r", one.workspace, one.id)
            self._failed(one, "internal")

    def answer(self) -> SweepAnswer:
        failures = tuple(self._failures[:_FAILURES])
        return SweepAnswer(**self._mended, failures=failures, out_of_time=self._out_of_time)

    def _failed(self, one: Named, code: str) -> None:
        self.count("failed")
        self._failures.append(f"{one.workspace}/{one.id}: {code}")
