"""The brain's queue whose process is killed with SIGKILL at bad moments: a note is still remembered, and once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.cloud import CloudConfig, LocalCloud
from infra.local.eventarc.lane import RetryPolicy
from tests.e2e.test_processes import Api, eventually
from tests.e2e.world import ROOT

BEGINNING = [
    "before_commit:brain.enqueue",
    "after_commit:brain.enqueue",
    "before_commit:brain.launch",
    "after_commit:brain.launch",
    "after_call:executions.create",
    "before_commit:brain.take",
    "after_commit:brain.take",
]
ENDING = ["before_commit:brain.release", "after_commit:brain.release"]


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    return tmp_path / "killed"


@pytest.fixture
def cloud(killed: Path, request: pytest.FixtureRequest) -> Iterator[LocalCloud]:
    env = {"FAULT_KILL": f"{request.getfixturevalue('point')}@{killed}", "LAUNCH_LEASE_SECONDS": "1"}
    made = LocalCloud(CloudConfig(root=ROOT, env=env, retry=RetryPolicy(min_seconds=0.5)))
    yield made
    made.close()


@pytest.fixture
def api(cloud: LocalCloud) -> Iterator[Api]:
    address = cloud.start()
    made = Api(address.http, address.token)
    yield made
    made.http.close()


def jobs_of(api: Api, kind: str) -> list[dict[str, Any]]:
    """Those of an agent; none while the process that would answer is dead."""
    try:
        return [job for job in api.get("/api/v1/brain/jobs", limit="100")["jobs"] if job["kind"] == kind]
    except httpx.HTTPError:
        return []


def done(api: Api, kind: str, number: int) -> bool:
    return [job["status"] for job in jobs_of(api, kind)] == ["done"] * number


def agreed(api: Api) -> bool:
    """Whether the counts are those of the jobs, which may move between the two looks."""
    jobs = Counter(job["status"] for job in api.get("/api/v1/brain/jobs", limit="100")["jobs"])
    counts = api.get("/api/v1/brain/agents")["jobs"]
    return all(counts[status] == jobs[status] for status in counts)


@pytest.mark.slow
@pytest.mark.parametrize("point", BEGINNING)
def test_a_queue_killed_as_it_begins_remembers_a_note_once(
    api: Api, cloud: LocalCloud, killed: Path, point: str
) -> None:
    api.write_note("Moving", "I live in Lisbon.")
    eventually(lambda: killed.exists() and done(api, "committer", 1), "the record")

    (extracted,) = jobs_of(api, "cognitive_extractor")
    assert extracted["status"] == "done" and extracted["attempts"] == 0
    records = api.get("/api/v1/brain/records")["records"]
    assert [record["object"] for record in records if record["property"] == "residence"] == ["Lisbon"]
    eventually(lambda: agreed(api), f"agreement of the counts after {point}")
    assert cloud.host is not None and cloud.host.restarts >= 1


@pytest.mark.slow
@pytest.mark.parametrize("point", ENDING)
def test_a_queue_killed_as_it_ends_is_drained_again_for_the_next_note(
    api: Api, cloud: LocalCloud, killed: Path, point: str
) -> None:
    api.write_note("Nothing", "Hm.")
    eventually(lambda: killed.exists() and done(api, "cognitive_extractor", 1), f"the first job, and {point}")
    api.write_note("Nothing", "Hm, hm.")
    eventually(lambda: done(api, "cognitive_extractor", 2), "the second job")
    assert cloud.host is not None and cloud.host.restarts >= 1
