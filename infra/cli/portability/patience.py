"""Calls that may be repeated, and are, while the server is away, busy or asks for a pause."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from infra.cli.errors import CliError
from shared.clock import Clock

PATIENCE_SECONDS = 180.0
_PASSING = frozenset(
    {"unavailable", "rate_limited", "broken", "unreachable", "http_502", "http_503", "http_504", "503"}
)
_LONGEST = 20.0

T = TypeVar("T")


def patiently(call: Callable[[], T], clock: Clock) -> T:
    """What the call answers, which is repeated for some minutes while it fails in passing. Raises CliError."""
    begun, wait = clock.now(), 1.0
    while True:
        try:
            return call()
        except CliError as error:
            spent = (clock.now() - begun).total_seconds()
            if error.code not in _PASSING or spent + wait > PATIENCE_SECONDS:
                raise
            asked = error.details.get("retry_after_seconds")
            clock.sleep(min(_LONGEST, max(wait, float(asked) if isinstance(asked, (int, float)) else 0.0)))
            wait = min(_LONGEST, wait * 2)
