"""The meter's process killed with SIGKILL beside its commit: the turn is counted, and once."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from infra.local.cloud import CloudConfig, LocalCloud
from tests.e2e.test_processes import Api, eventually
from tests.e2e.world import ROOT

METER = "eventarc-usage-meter"


def counted(api: Api) -> int:
    """-1 while the functions are being restarted."""
    try:
        return int(api.get("/api/v1/usage")["totals"]["count"])
    except httpx.HTTPError:
        return -1


@pytest.mark.slow
@pytest.mark.parametrize("point", ["before_commit:usage.count", "after_commit:usage.count"])
def test_a_turn_whose_meter_was_killed_is_counted_once(tmp_path: Path, point: str) -> None:
    killed = tmp_path / "killed"
    cloud = LocalCloud(CloudConfig(root=ROOT, env={"FAULT_KILL": f"{point}@{killed}"}))
    address = cloud.start()
    try:
        api = Api(address.http, address.token)
        session = api.http.post("/api/v1/chat/sessions", json={}).json()["session"]["id"]
        json = {"Accept": "application/json"}
        api.http.post(f"/api/v1/chat/sessions/{session}/messages", json={"text": "Hello!"}, headers=json)
        eventually(killed.exists, f"a kill at {point}")
        eventually(lambda: undelivered(cloud) == 0, "every message delivered")
        eventually(lambda: counted(api) >= 0, "an answer")
        assert counted(api) == 1
        assert cloud.host is not None and cloud.host.restarts >= 1
    finally:
        cloud.close()


def undelivered(cloud: LocalCloud) -> int:
    """Messages that the meter has not acknowledged."""
    standings = cloud.services.pubsub.inside.subscriptions()
    return sum(sum(each.states.values()) for each in standings if each.config.name.endswith(METER))
