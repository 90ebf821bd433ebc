"""The product in real processes, one of which is killed with SIGKILL at a point; and the API through its restarts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from infra.local.cloud import CloudConfig, LocalCloud
from infra.local.eventarc.lane import RetryPolicy
from tests.e2e.world import ROOT

PATIENCE_SECONDS = 240.0


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


@dataclass(frozen=True)
class Victim:
    """A local cloud, the process of whose function kills itself once, at `point`."""

    cloud: LocalCloud
    api: Api
    point: str
    marker: Path

    def wait_for_the_kill(self) -> None:
        eventually(self.killed, f"a kill at {self.point}")

    def killed(self) -> bool:
        return self.marker.exists()

    @property
    def restarts(self) -> int:
        """How often a function was started again."""
        return self.cloud.host.restarts if self.cloud.host is not None else 0

    @property
    def paid_runs(self) -> list[str]:
        """The ids of the interactions that the service accepted."""
        return self.cloud.services.aiplatform.calls.created()


@contextmanager
def killed_at(point: str, folder: Path, *, run_seconds: float = 2.0, **env: str) -> Iterator[Victim]:
    """A started local cloud while inside; `env` are settings of its functions."""
    marker = folder / "killed"
    given = {"FAULT_KILL": f"{point}@{marker}", "LAUNCH_LEASE_SECONDS": "1"} | env
    config = CloudConfig(root=ROOT, run_seconds=run_seconds, env=given, retry=RetryPolicy(min_seconds=0.5))
    cloud = LocalCloud(config)
    try:
        address = cloud.start()
        api = Api(address.http, address.token)
        with api.http:
            yield Victim(cloud, api, point, marker)
    finally:
        cloud.close()


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
