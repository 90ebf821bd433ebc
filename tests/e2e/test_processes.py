"""Real processes killed with SIGKILL at bad moments: the run still ends, with exactly one report."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.cloud import CloudConfig, LocalCloud
from infra.local.eventarc.lane import RetryPolicy
from tests.e2e.world import NOTES, QUESTION, ROOT
from tests.support.command import SECONDS, up

PATIENCE_SECONDS = 240.0

POINTS = [
    "before_commit:operation.create",
    "after_commit:operation.create",
    "after_call:executions.create",
    "after_commit:operation.claim",
    "after_commit:operation.intend",
    "after_call:interactions.create",
    "after_commit:operation.interaction",
    "after_call:interactions.get",
    "before_commit:operation.end",
    "after_commit:operation.end",
    "after_commit:operation.listen",
    "after_commit:operation.woken",
    "after_call:callbacks.wake",
]
TOLD = {"after_commit:operation.woken", "after_call:callbacks.wake"}
"""Come by only where the service tells of the end before anybody looks by himself."""
INTENDED = {"after_commit:operation.intend", "after_call:interactions.create"}
"""Where an intent must run out before it goes on. Elsewhere no create counts as lost because the machine is busy."""
PAID_TWICE = {"after_call:interactions.create"}
"""Where the process dies between the paid call and the storing of its id: the one place where a run can be lost."""


class Api:
    """The API as a program sees it, through restarts of what lies behind."""

    def __init__(self, base_url: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self.http = httpx.Client(base_url=base_url, headers=headers, trust_env=False, timeout=30)

    def get(self, path: str, **query: str) -> Any:
        answer = self.http.get(path, params=query)
        answer.raise_for_status()
        return answer.json()

    def write_note(self, title: str, body: str, *tags: str) -> str:
        answer = self.http.post("/api/v1/notes", json={"title": title, "body": body, "tags": tags})
        answer.raise_for_status()
        return str(answer.json()["note"]["id"])

    def operations(self) -> list[dict[str, Any]]:
        return list(self.get("/api/v1/operations")["operations"])

    def ended(self) -> bool:
        """Whether an operation is there and none runs; False while the functions are being restarted."""
        try:
            found = self.operations()
        except httpx.HTTPError:
            return False
        return bool(found) and all(operation["status"] != "running" for operation in found)


def eventually(done: Callable[[], bool], what: str) -> None:
    """Wait until `done()`; fails after PATIENCE_SECONDS."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not done():
        assert time.monotonic() < deadline, f"{what} did not come true"
        time.sleep(0.1)


def expect_one_report(api: Api) -> None:
    (operation,) = api.operations()
    assert operation["status"] == "completed", operation["error"]
    (report,) = api.get("/api/v1/notes", kind="research")["notes"]
    assert operation["result_note_id"] == report["id"]
    events = api.http.get(f"/api/v1/operations/{operation['id']}/events", headers={"Accept": "application/json"}).json()
    assert [event["seq"] for event in events["events"]] == list(range(1, len(events["events"]) + 1))
    assert [event["type"] for event in events["events"]].count("completed") == 1


@pytest.mark.parametrize(
    "point", [point if n == 1 else pytest.param(point, marks=pytest.mark.slow) for n, point in enumerate(POINTS)]
)
def test_functions_killed_at_a_point_go_on_to_exactly_one_report(tmp_path: Path, point: str) -> None:
    killed = tmp_path / "killed"
    env = {
        "FAULT_KILL": f"{point}@{killed}",
        "RESEARCH_CREATE_TIMEOUT_SECONDS": "4" if point in INTENDED else "60",
        "LAUNCH_LEASE_SECONDS": "1",
        "RESEARCH_POLL_MIN_SECONDS": "30" if point in TOLD else "0.5",
    }
    cloud = LocalCloud(CloudConfig(root=ROOT, run_seconds=1.0, env=env, retry=RetryPolicy(min_seconds=0.5)))
    address = cloud.start()
    try:
        api = Api(address.http, address.token)
        for title, body in NOTES:
            api.write_note(title, body)
        api.write_note("A question", QUESTION, "research")
        eventually(killed.exists, f"a kill at {point}")
        eventually(api.ended, "the end of the operation")
        expect_one_report(api)
        assert cloud.host is not None and cloud.host.restarts >= 1
        paid = cloud.services.aiplatform.calls.created()
        assert len(paid) == (2 if point in PAID_TWICE else 1)
    finally:
        cloud.close()


@pytest.mark.slow
def test_the_local_cloud_killed_while_the_workflow_sleeps_goes_on_after_a_restart(tmp_path: Path) -> None:
    arguments = ("--data", str(tmp_path), "--run-seconds", "8")
    with up(*arguments) as (process, line):
        api = Api(line["http"], line["token"])
        for title, body in NOTES:
            api.write_note(title, body)
        api.write_note("A question", QUESTION, "research")
        eventually(lambda: any(op["attempts"] >= 2 for op in api.operations()), "two polls")
        os.kill(process.pid, signal.SIGKILL)
        process.wait(SECONDS)
    with up(*arguments) as (_, line):
        api = Api(line["http"], line["token"])
        eventually(api.ended, "the end of the operation")
        expect_one_report(api)
