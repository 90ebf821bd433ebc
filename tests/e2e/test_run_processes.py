"""Agent runs whose process is killed with SIGKILL at bad moments: the run still ends, with one answer."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.e2e.processes import Api, eventually, killed_at
from tests.e2e.world import NOTES

RUNS = "/api/v1/agent_runs"
GOAL = "Compare: rye in sourdough, cold retard, fridge"

POINTS = [
    "after_commit:step.result",
    "before_commit:run.create",
    "after_commit:run.create",
    "after_call:executions.create",
    "after_commit:run.claim",
    "before_call:model.stream",
    "after_call:model.stream",
    "before_commit:run.plan",
    "after_commit:run.plan",
    "before_commit:run.claim_step",
    "after_commit:run.claim_step",
    "before_commit:step.answer",
    "after_commit:step.answer",
    "before_call:tool",
    "after_call:tool",
    "before_commit:step.result",
    "before_commit:run.settle_step",
    "after_commit:run.settle_step",
    "before_commit:run.end",
    "after_commit:run.end",
]


def begun(api: Api) -> str:
    """The id of the run, asked for until it is there: the process that was asked may have been killed."""
    found: list[str] = []

    def asked() -> bool:
        try:
            answer = api.http.post(RUNS, json={"goal": GOAL}, headers={"Idempotency-Key": "the-run"})
        except httpx.HTTPError:
            return False
        if answer.status_code in (200, 201):
            found.append(str(answer.json()["run"]["id"]))
        return bool(found)

    eventually(asked, "the run begins")
    return found[0]


@pytest.mark.slow
@pytest.mark.parametrize("point", POINTS)
def test_a_run_killed_at_a_point_ends_with_one_answer(tmp_path: Path, point: str) -> None:
    with killed_at(point, tmp_path, RUN_LEASE_SECONDS="2", ALLOW_INTERNET_ACCESS="off") as victim:
        api = victim.api
        for title, body in NOTES:
            api.write_note(title, body, "baking")
        run_id = begun(api)

        def ended() -> bool:
            try:
                return api.get(f"{RUNS}/{run_id}")["run"]["status"] in ("succeeded", "failed", "cancelled")
            except httpx.HTTPError:
                return False

        eventually(ended, "the end of the run")
        assert victim.killed(), f"nothing was killed at {point}"
        run = api.get(f"{RUNS}/{run_id}")["run"]
        assert run["status"] == "succeeded", run["error"]
        (note,) = api.get("/api/v1/notes", kind="answer")["notes"]
        assert note["id"] == run["answer_note_id"]
        assert len(api.get(RUNS)["runs"]) == 1
        json_please = {"Accept": "application/json"}
        events = api.http.get(f"{RUNS}/{run_id}/events", headers=json_please).json()["events"]
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        kinds = [event["type"] for event in events]
        assert kinds.count("run_started") == kinds.count("plan_ready") == kinds.count("run_completed") == 1
        ends = [event["data"]["step_id"] for event in events if event["type"] == "step_completed"]
        assert len(ends) == len(set(ends)) == len(run["steps"])
        assert victim.restarts >= 1
