"""The local workspace has everything in its plan, until somebody decides otherwise."""

from __future__ import annotations

from pathlib import Path

from infra.local.cloud import CloudConfig, LocalCloud
from tests.unit.local.console.conftest import ROOT, desk_of


def test_a_start_puts_the_workspace_there_and_a_later_one_leaves_it_as_it_was_changed(tmp_path: Path) -> None:
    config = CloudConfig(ROOT, tmp_path, functions="inline", env={"PROBE_RECORDS": str(tmp_path)})
    with desk_of(config) as desk:
        seen = desk.get("firestore", path="workspaces/demo")
        assert seen["fields"]["plan"] == "pro" and seen["fields"]["quotas"]["runs"] == 1000
        change = {"path": "workspaces/demo", "fields": {"plan": "free"}, "update_time": seen["update_time"]}
        assert desk.send("PUT", "firestore", change).status_code == 200
    with desk_of(config) as desk:
        assert desk.get("firestore", path="workspaces/demo")["fields"] == {"plan": "free"}


def test_services_alone_hold_nothing(tmp_path: Path) -> None:
    cloud = LocalCloud(CloudConfig(ROOT, tmp_path, functions="none"))
    try:
        cloud.start()
        assert cloud.services.firestore.inside.databases() == []
    finally:
        cloud.close()
