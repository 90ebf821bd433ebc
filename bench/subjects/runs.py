"""An agent run of five steps of two seconds each, through workflow and functions: its wall time next to the ideal."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any

import httpx

from bench import servers
from bench.lab import Lab
from bench.row import Row, own_row

STEPS, STEP_SECONDS, PATIENCE_SECONDS = 5, 2.0, 90.0
LANES = (3, 5)
SHARE = 1.25
"""How many times the ideal the steps may take on an idle machine."""


def run(lab: Lab) -> Iterator[Row]:
    for lanes in LANES:
        settings = (f"--set=RUN_LANES={lanes}", "--set=ALLOW_INTERNET_ACCESS=off")
        server = lab.running(partial(servers.memex_up, *settings))
        headers = {"Authorization": f"Bearer {server.facts['token']}"}
        with httpx.Client(base_url=server.facts["http"], headers=headers, trust_env=False, timeout=30) as client:
            rounds = [_steps_seconds(client) for _ in range(lab.rounds(5))]
        server.stop()
        waves = math.ceil(STEPS / lanes)
        ideal = waves * STEP_SECONDS
        what = f"{STEPS} steps of {STEP_SECONDS:g} s in {lanes} lanes"
        yield own_row("runs", f"{what}, {ideal:g} s at best", "s", rounds, at_most=ideal * SHARE)
        yield own_row("runs", f"{what}, overhead a step", "ms", [(one - ideal) / waves * 1000 for one in rounds])


def _steps_seconds(client: httpx.Client) -> float:
    """From the plan to the end of the last step, by the frames' own times."""
    listed = [{"id": f"s{n}", "title": f"Step {n}", "task": "wait", "tool": "sub_agent"} for n in range(STEPS)]
    plan = json.dumps({"steps": [{**one, "depends_on": []} for one in listed]})
    _script(client, "json", {"part": {"text": plan}})
    for _ in range(STEPS):
        _script(client, "tools", {"pause": STEP_SECONDS}, {"part": {"text": "Done."}})
    answer = client.post("/api/v1/agent_runs", json={"goal": "Wait five times."}).raise_for_status()
    frames = _frames(client, str(answer.json()["run"]["id"]))
    planned = next(_at(frame) for frame in frames if frame["type"] == "plan_ready")
    ends = [_at(frame) for frame in frames if frame["type"] == "step_completed" and frame["data"]["title"] != "Plan"]
    if len(ends) != STEPS:
        raise RuntimeError(f"{len(ends)} of {STEPS} steps ended")
    return (max(ends) - planned).total_seconds()


def _script(client: httpx.Client, asks: str, *items: dict[str, Any]) -> None:
    body = {"asks": asks, "items": list(items)}
    client.post("/_cloud/aiplatform/model-scripts", json=body).raise_for_status()


def _frames(client: httpx.Client, run_id: str) -> list[dict[str, Any]]:
    """All frames of the run, once it has ended: without a source to cite it fails in the end, which is not timed."""
    got: list[dict[str, Any]] = []
    headers = {"Accept": "text/event-stream"}
    with client.stream(
        "GET", f"/api/v1/agent_runs/{run_id}/events", headers=headers, timeout=PATIENCE_SECONDS
    ) as answer:
        for line in answer.iter_lines():
            if line.startswith("data: "):
                got.append(json.loads(line[6:]))
                if got[-1]["type"] == "run_completed":
                    return got
    raise RuntimeError("the run did not end")


def _at(frame: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(frame["at"])
