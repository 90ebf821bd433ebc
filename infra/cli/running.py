"""An agent run on the terminal: the plan as a checklist that fills, a line for each frame elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from infra.cli import to_the_end
from infra.cli.client import ApiClient
from infra.cli.errors import CliError
from infra.cli.follow import Followed
from infra.cli.run_progress import RunProgress
from infra.cli.terminal import facts, one_line, status_mark
from infra.cli.to_the_end import Bounds, Kind

LAST = frozenset({"run_completed"})
KIND = Kind("run", "answer_note_id", "Answer", {"succeeded": 0, "failed": 1, "cancelled": 3})

Run = dict[str, Any]


def path_of(run_id: str) -> str:
    return f"/api/v1/agent_runs/{quote(run_id, safe='')}"


def by_id(client: ApiClient, run_id: str) -> Run:
    return dict(client.get(path_of(run_id))["run"])


def newest(client: ApiClient) -> Run:
    """Raises CliError when there is none."""
    found = client.get("/api/v1/agent_runs", limit=1)["runs"]
    if not found:
        raise CliError('There is no run yet. Start one: memex run start "GOAL"', code="none")
    return dict(found[0])


def watch(client: ApiClient, run: Run, bounds: Bounds) -> int:
    """See to_the_end.watch."""
    followed = Followed(path_of(run["id"]), "run", frozenset(KIND.exits), LAST)
    return to_the_end.watch(
        client,
        KIND,
        followed,
        lambda: RunProgress(one_line(run["goal"], 70), client.clock, run["created_at"]),
        bounds,
    )


def outline(run: Run) -> Iterator[str]:
    """A run in lines: its facts, its steps and their tool calls."""
    values = {
        "id": run["id"],
        "begun": run["created_at"],
        "ended": run.get("finished_at"),
        "stopped by": run["stop_reason"],
        "used": f"{run['total_tokens_in']} tokens in, {run['total_tokens_out']} out, {run['tool_calls']} calls",
        "cost": f"{run['cost_usd']:.4f} USD (list price)",
        "answer": run.get("answer_note_id"),
        "error": run["error"]["message"] if run.get("error") else None,
    }
    yield from facts(values)
    for step in run["steps"]:
        yield f"  {status_mark(step['status'])}  {one_line(step['title'], 80)}"
        if step.get("error"):
            yield f"      {one_line(step['error']['message'], 100)}"
        for call in step["steps"]:
            yield f"      {status_mark(call['status'])}  {one_line(call['title'])} {_short(call.get('tool_input'))}"


def _short(arguments: Any) -> str:
    values = arguments.values() if isinstance(arguments, dict) else ()
    return one_line(", ".join(str(value) for value in values), 70)
