from __future__ import annotations

import pytest

from shared.research.statuses import Decision, verdict


@pytest.mark.parametrize(
    ("status", "decision"),
    [
        ("in_progress", Decision.WAIT),
        ("queued", Decision.WAIT),
        ("idle", Decision.WAIT),
        ("requires_action", Decision.FAIL),
        ("requires_continuation", Decision.FAIL),
        ("completed", Decision.REPORT),
        ("failed", Decision.FAIL),
        ("cancelled", Decision.CANCELLED),
        ("incomplete", Decision.FAIL),
        ("budget_exceeded", Decision.FAIL),
        ("pondering", Decision.WAIT),
    ],
)
def test_every_status_has_an_answer(status: str, decision: Decision) -> None:
    assert verdict(status).decision is decision
    assert verdict(status).known is (status != "pondering")


def test_each_ending_that_is_no_report_says_why() -> None:
    for status in ("requires_action", "requires_continuation", "failed", "cancelled", "incomplete", "budget_exceeded"):
        assert verdict(status).code and verdict(status).message
