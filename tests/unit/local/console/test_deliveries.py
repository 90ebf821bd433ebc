"""What calls functions by itself: deliveries and jobs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.local.cloud import CloudConfig
from infra.local.eventarc.lane import RetryPolicy
from tests.support.waiting import wait_until
from tests.unit.local.console.conftest import ROOT, Desk, desk_of


@pytest.fixture
def failing(tmp_path: Path) -> Iterator[Desk]:
    """Functions that fail until tmp_path/records is made, and are tried again after ten minutes."""
    env = {"PROBE_RECORDS": str(tmp_path / "records")}
    with desk_of(CloudConfig(ROOT, functions="inline", env=env, retry=RetryPolicy(min_seconds=600))) as desk:
        yield desk


def pending(desk: Desk) -> list[int]:
    """The pending deliveries that have failed."""
    rows = desk.get("deliveries", state="pending")["newest"]
    return [row["id"] for row in rows if row["attempts"] > 0]


def test_a_pending_delivery_shows_why_and_when_and_is_delivered_at_once_on_a_wish(
    failing: Desk, tmp_path: Path
) -> None:
    failing.write("workspaces/demo/notes/1", a=1)
    wait_until(lambda: len(pending(failing)) == 2)
    row = failing.get("deliveries")["newest"][0]
    assert (row["document"], row["attempts"], row["last_status"]) == ("workspaces/demo/notes/1", 1, 500)
    assert row["next_at"] - row["created_at"] > 500
    (tmp_path / "records").mkdir()
    first, second = pending(failing)
    assert failing.send("POST", f"deliveries/{first}/now").status_code == 202
    wait_until(lambda: pending(failing) == [second])
    assert [one["id"] for one in failing.get("deliveries", state="delivered")["newest"]] == [first]
    assert failing.send("POST", f"deliveries/{first}/now").status_code == 409


def test_a_dropped_delivery_keeps_its_reason(failing: Desk) -> None:
    failing.send("POST", "faults", {"kind": "drop_events", "function": "on-created"})
    failing.write("workspaces/demo/notes/1", a=1)
    wait_until(lambda: failing.get("deliveries", state="dropped")["newest"])
    (row,) = failing.get("deliveries", state="dropped")["newest"]
    assert (row["function"], row["state"]) == ("on-created", "dropped: a fault")
    assert failing.get("summary")["dropped"] == 1


def test_a_state_that_is_none_is_refused(shared: Desk) -> None:
    assert shared.http.get("/_cloud/deliveries", params={"state": "x"}).status_code == 400


def test_a_job_shows_its_next_run_and_runs_on_a_wish(failing: Desk, tmp_path: Path) -> None:
    (job,) = failing.get("scheduler")["jobs"]
    assert (job["name"], job["cron"], job["last"]) == ("tick", "*/5 * * * *", None)
    assert job["next_run_at"].endswith("Z")
    assert failing.send("POST", "scheduler/tick/run").status_code == 202
    wait_until(lambda: failing.get("scheduler")["jobs"][0]["last"])
    assert failing.get("scheduler")["jobs"][0]["last"]["status"] == 200
    assert failing.send("POST", "scheduler/absent/run").status_code == 404


def test_a_job_that_runs_is_not_run_beside_itself(desk: Desk) -> None:
    scheduler = desk.cloud.triggers.scheduler
    assert scheduler._begin("tick")
    assert desk.send("POST", "scheduler/tick/run").status_code == 409
    assert desk.get("scheduler")["jobs"][0]["running"]
