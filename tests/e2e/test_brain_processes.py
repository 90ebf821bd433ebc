"""The brain's queue whose process is killed with SIGKILL at bad moments: a note is still remembered, and once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.processes import Api, Victim, eventually, killed_at

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
def victim(tmp_path: Path, point: str) -> Iterator[Victim]:
    with killed_at(point, tmp_path) as found:
        yield found


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
def test_a_queue_killed_as_it_begins_remembers_a_note_once(victim: Victim) -> None:
    api = victim.api
    api.write_note("Moving", "I live in Lisbon.")
    eventually(lambda: victim.killed() and done(api, "committer", 1), "the record")

    (extracted,) = jobs_of(api, "cognitive_extractor")
    assert extracted["status"] == "done" and extracted["attempts"] == 0
    records = api.get("/api/v1/brain/records")["records"]
    assert [record["object"] for record in records if record["property"] == "residence"] == ["Lisbon"]
    eventually(lambda: agreed(api), f"agreement of the counts after {victim.point}")
    assert victim.restarts >= 1


@pytest.mark.slow
@pytest.mark.parametrize("point", ENDING)
def test_a_queue_killed_as_it_ends_is_drained_again_for_the_next_note(victim: Victim) -> None:
    api = victim.api
    api.write_note("Nothing", "Hm.")
    eventually(lambda: victim.killed() and done(api, "cognitive_extractor", 1), f"the first job, and {victim.point}")
    api.write_note("Nothing", "Hm, hm.")
    eventually(lambda: done(api, "cognitive_extractor", 2), "the second job")
    assert victim.restarts >= 1
