"""How often a caller may ask: a bucket each, in this process alone.

Every instance counts for itself, so all together admit as much as max_instances of the manifest times the rate: enough
to keep one caller from taking an instance for themselves. What costs money is bounded by quotas, which all share.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from datetime import datetime

from shared.clock import Clock
from shared.errors import Transient

KEPT = 10_000
"""Buckets; when there are more, those that are full again are forgotten."""


class RateLimited(Transient):
    """Come again after Retry-After seconds."""

    status, code = 429, "rate_limited"

    def __init__(self, wait_seconds: float) -> None:
        wait = math.ceil(wait_seconds)
        super().__init__(f"Too many requests: try again in {wait} s.", retry_after_seconds=wait)
        self.details["retry_after_seconds"] = wait


@dataclass
class _Bucket:
    left: float
    at: datetime


class Rates:
    """Takes one of a caller's bucket at each request; `per_second` come back, up to `burst`."""

    def __init__(self, clock: Clock, per_second: float, burst: float) -> None:
        self._clock, self._per_second, self._burst = clock, per_second, burst
        self._lock = threading.Lock()
        self._buckets: dict[str, _Bucket] = {}

    def take(self, name: str) -> None:
        """Raises RateLimited when the caller's bucket is empty; `details.retry_after_seconds` says when it is not."""
        now = self._clock.now()
        with self._lock:
            bucket = self._buckets.setdefault(name, _Bucket(self._burst, now))
            bucket.left, bucket.at = self._filled(bucket, now), now
            if bucket.left >= 1:
                bucket.left -= 1
                self._forget_the_full(now)
                return
            wait = (1 - bucket.left) / self._per_second
        raise RateLimited(wait)

    def _filled(self, bucket: _Bucket, now: datetime) -> float:
        passed = max(0.0, (now - bucket.at).total_seconds())
        return min(self._burst, bucket.left + passed * self._per_second)

    def _forget_the_full(self, now: datetime) -> None:
        if len(self._buckets) > KEPT:
            self._buckets = {
                name: bucket for name, bucket in self._buckets.items() if self._filled(bucket, now) < self._burst
            }
