"""Counts every billable unit, by service and unit, so that a run can say what it would have cost."""

from __future__ import annotations

import threading
from collections import Counter


class Meter:
    """A thread-safe counter of (service, unit); what a unit costs is said in one place, prices.py."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._units: Counter[tuple[str, str]] = Counter()

    def add(self, service: str, unit: str, amount: float = 1) -> None:
        """Count `amount` more of a unit, such as ("firestore", "document_reads")."""
        with self._lock:
            self._units[service, unit] += amount  # type: ignore[assignment]

    def began(self, function: str, path: str) -> int:
        """A request to a function begins; its name in `ended`. Both are for meters that tell requests apart."""
        return 0

    def ended(self, request: int, seconds: float) -> None:
        """It has its whole answer, after so many seconds of the cloud's clock."""

    def clear(self) -> None:
        """Begin to count anew."""
        with self._lock:
            self._units.clear()

    def totals(self) -> dict[tuple[str, str], float]:
        with self._lock:
            return dict(self._units)
