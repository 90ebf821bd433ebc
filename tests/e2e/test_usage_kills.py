"""The meter's process killed with SIGKILL beside its commit: the turn is counted, and once."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from infra.local.cloud import LocalCloud
from tests.e2e.processes import Api, eventually, killed_at

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
    with killed_at(point, tmp_path) as victim:
        api = victim.api
        session = api.http.post("/api/v1/chat/sessions", json={}).json()["session"]["id"]
        json = {"Accept": "application/json"}
        api.http.post(f"/api/v1/chat/sessions/{session}/messages", json={"text": "Hello!"}, headers=json)
        victim.wait_for_the_kill()
        eventually(lambda: undelivered(victim.cloud) == 0, "every message delivered")
        eventually(lambda: counted(api) >= 0, "an answer")
        assert counted(api) == 1
        assert victim.restarts >= 1


def undelivered(cloud: LocalCloud) -> int:
    """Messages that the meter has not acknowledged."""
    standings = cloud.services.pubsub.inside.subscriptions()
    return sum(sum(each.states.values()) for each in standings if each.config.name.endswith(METER))
