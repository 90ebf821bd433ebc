"""The functions are killed with SIGKILL while they delete a workspace: the deletion goes on, and nothing is left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.cloud import CloudConfig, LocalCloud
from infra.local.eventarc.lane import RetryPolicy
from tests.e2e.test_processes import Api, eventually
from tests.e2e.world import NOTES, ROOT

pytestmark = pytest.mark.slow

POINTS = ("after_commit:workspace.mark", "before_commit:workspace.slice", "after_commit:workspace.slice")


def deletion(api: Api) -> dict[str, Any]:
    try:
        return api.get("/api/v1/workspace")["workspace"]["deletion"] or {}
    except httpx.HTTPError:
        return {}  # the functions are being restarted


@pytest.mark.parametrize("point", POINTS)
def test_functions_killed_at_a_point_go_on_until_nothing_is_left(tmp_path: Path, point: str) -> None:
    killed = tmp_path / "killed"
    env = {"FAULT_KILL": f"{point}@{killed}", "LAUNCH_LEASE_SECONDS": "1"}
    cloud = LocalCloud(CloudConfig(root=ROOT, run_seconds=1.0, env=env, retry=RetryPolicy(min_seconds=0.5)))
    address = cloud.start()
    try:
        api = Api(address.http, address.token)
        for title, body in NOTES:
            api.write_note(title, body)

        def asked() -> bool:
            """Asked again until it is known to be heard, as a person would."""
            try:
                return api.http.request("DELETE", "/api/v1/workspace", json={"now": True}).status_code in (202, 404)
            except httpx.HTTPError:
                return False

        eventually(asked, "the mark")
        eventually(killed.exists, f"a kill at {point}")
        eventually(lambda: deletion(api).get("status") == "completed", "the end of the deletion")
        assert api.get("/api/v1/notes", kind="capture")["notes"] == []
        assert cloud.host is not None and cloud.host.restarts >= 1
    finally:
        cloud.close()
