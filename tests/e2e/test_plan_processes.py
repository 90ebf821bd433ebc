"""Processes killed with SIGKILL around a plan and its approval: one paid run, and only after the approval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.cloud import CloudConfig, LocalCloud
from infra.local.eventarc.lane import RetryPolicy
from tests.e2e.test_processes import Api, eventually, expect_one_report
from tests.e2e.world import NOTES, QUESTION, ROOT

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
    killed = tmp_path / "killed"
    env = {"FAULT_KILL": f"{point}@{killed}", "RESEARCH_CREATE_TIMEOUT_SECONDS": "2", "LAUNCH_LEASE_SECONDS": "1"}
    cloud = LocalCloud(CloudConfig(root=ROOT, run_seconds=1.0, env=env, retry=RetryPolicy(min_seconds=0.5)))
    address = cloud.start()
    try:
        api = Api(address.http, address.token)
        for title, body in NOTES:
            api.write_note(title, body)
        api.write_note("A question", QUESTION, "research:plan")
        eventually(lambda: bool(with_status(api, "awaiting_approval")), "a plan that waits")
        plans = len(cloud.services.aiplatform.calls.created())
        assert plans == (2 if point == "after_call:interactions.create" else 1)
        (operation,) = with_status(api, "awaiting_approval")
        eventually(lambda: approved(api, operation), "an approval")
        eventually(api.ended, "the end of the operation")
        expect_one_report(api)
        assert killed.exists() and cloud.host is not None and cloud.host.restarts >= 1
        assert len(cloud.services.aiplatform.calls.created()) == plans + 1
    finally:
        cloud.close()
