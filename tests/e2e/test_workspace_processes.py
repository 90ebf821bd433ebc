"""The functions are killed with SIGKILL while they delete a workspace: the deletion goes on, and nothing is left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.processes import Api, eventually, killed_at
from tests.e2e.world import NOTES

pytestmark = pytest.mark.slow

POINTS = ("after_commit:workspace.mark", "before_commit:workspace.slice", "after_commit:workspace.slice")


def deletion(api: Api) -> dict[str, Any]:
    try:
        return api.get("/api/v1/workspace")["workspace"]["deletion"] or {}
    except httpx.HTTPError:
        return {}  # the functions are being restarted


@pytest.mark.parametrize("point", POINTS)
def test_functions_killed_at_a_point_go_on_until_nothing_is_left(tmp_path: Path, point: str) -> None:
    with killed_at(point, tmp_path, run_seconds=1.0) as victim:
        api = victim.api
        for title, body in NOTES:
            api.write_note(title, body)

        def asked() -> bool:
            """Asked again until it is known to be heard, as a person would."""
            try:
                return api.http.request("DELETE", "/api/v1/workspace", json={"now": True}).status_code in (202, 404)
            except httpx.HTTPError:
                return False

        eventually(asked, "the mark")
        victim.wait_for_the_kill()
        eventually(lambda: deletion(api).get("status") == "completed", "the end of the deletion")
        assert api.get("/api/v1/notes", kind="capture")["notes"] == []
        assert victim.restarts >= 1
