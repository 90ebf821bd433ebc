"""Processes killed with SIGKILL around a plan and its approval: one paid run, and only after the approval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.processes import Api, eventually, expect_one_report, killed_at
from tests.e2e.world import NOTES, QUESTION

POINTS = [
    "after_call:interactions.create",
    "before_commit:operation.plan_proposed",
    "after_commit:operation.plan_proposed",
    "before_commit:operation.plan_approved",
    "after_commit:operation.plan_approved",
]


def with_status(api: Api, status: str) -> list[dict[str, Any]]:
    try:
        return list(api.get("/api/v1/operations", status=status)["operations"])
    except httpx.HTTPError:
        return []


def approved(api: Api, operation: dict[str, Any]) -> bool:
    """Whether an approval came through; what died with the process is asked for again."""
    seen = {"revision": operation["plan"]["revision"]}
    try:
        answer = api.http.post(f"/api/v1/operations/{operation['id']}/approve", json=seen)
    except httpx.HTTPError:
        return False
    return answer.status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("point", POINTS)
def test_functions_killed_around_a_plan_go_on_to_exactly_one_report(tmp_path: Path, point: str) -> None:
    with killed_at(point, tmp_path, run_seconds=1.0, RESEARCH_CREATE_TIMEOUT_SECONDS="2") as victim:
        api = victim.api
        for title, body in NOTES:
            api.write_note(title, body)
        api.write_note("A question", QUESTION, "research:plan")
        eventually(lambda: bool(with_status(api, "awaiting_approval")), "a plan that waits")
        plans = len(victim.paid_runs)
        assert plans == (2 if point == "after_call:interactions.create" else 1)
        (operation,) = with_status(api, "awaiting_approval")
        eventually(lambda: approved(api, operation), "an approval")
        eventually(api.ended, "the end of the operation")
        expect_one_report(api)
        assert victim.killed() and victim.restarts >= 1
        assert len(victim.paid_runs) == plans + 1
