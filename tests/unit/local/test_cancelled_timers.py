"""A cancelled timer takes no room until it would have been due."""

from __future__ import annotations

import pytest

from infra.local.clock import RealClock, VirtualClock


@pytest.mark.parametrize("kind", [RealClock, VirtualClock])
def test_cancelled_timers_do_not_pile_up(kind: type[RealClock] | type[VirtualClock]) -> None:
    clock = kind()
    kept = clock.call_later(86400, lambda: None, "kept")
    for _ in range(5000):
        clock.call_later(86400, lambda: None, "cancelled").cancel()
    assert len(clock._timers) <= 1025
    assert kept in clock._timers
    clock.close()
