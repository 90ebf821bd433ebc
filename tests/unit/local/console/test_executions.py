"""Executions as a person sees them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.waiting import wait_until
from tests.unit.local.console.conftest import Desk

SOURCE = """main:
  params: [args]
  steps:
    - greet:
        assign:
          - words: ${"hello " + args.name}
    - linger:
        call: sys.sleep
        args:
          seconds: ${args.seconds}
    - done:
        return: ${words}
"""
WORKFLOW = "projects/memex-local/locations/us-central1/workflows/greeting"


@pytest.fixture
def greeting(desk: Desk, tmp_path: Path) -> Desk:
    """A desk with a workflow that greets after a while."""
    (tmp_path / "greeting.yaml").write_text(SOURCE)
    desk.cloud.services.workflows.deploy("greeting", tmp_path / "greeting.yaml", {}, "")
    return desk


def execute(desk: Desk, argument: str) -> str:
    made = desk.cloud.services.workflows.api.create(WORKFLOW, argument, {"by": "test"}, 0)
    return str(made.name.rpartition("/")[2])


def test_an_active_execution_shows_the_step_it_is_in_and_its_line(greeting: Desk) -> None:
    number = execute(greeting, '{"name": "you", "seconds": 600}')
    wait_until(
        lambda: greeting.get(f"executions/greeting/{number}")["steps"] == [{"routine": "main", "step": "linger"}]
    )
    (row,) = greeting.get("executions")["executions"]
    assert (row["workflow"], row["id"], row["state"], row["ended_at"]) == ("greeting", number, "ACTIVE", None)
    source = greeting.get(f"executions/greeting/{number}/source")
    lines = {(one["routine"], one["step"]): one["line"] for one in source["steps"]}
    assert source["source"].splitlines()[lines["main", "linger"] - 1].strip() == "- linger:"
    assert greeting.get("summary")["executions"] == 1


def test_an_ended_execution_shows_argument_result_and_history(greeting: Desk) -> None:
    number = execute(greeting, '{"name": "you", "seconds": 0}')
    wait_until(lambda: greeting.get(f"executions/greeting/{number}")["state"] == "SUCCEEDED")
    found = greeting.get(f"executions/greeting/{number}")
    assert (found["argument"], found["result"], found["error"]) == ({"name": "you", "seconds": 0}, "hello you", None)
    assert found["labels"] == {"by": "test"}
    assert [(one["step"], one["state"]) for one in found["history"]] == [
        (step, "SUCCEEDED") for step in ("greet", "linger", "done")
    ]
    assert all(one["ended_at"] and one["seconds"] >= 0 for one in found["history"])


def test_of_a_long_history_the_newest_entries_are_shown(greeting: Desk, tmp_path: Path) -> None:
    loop = (
        "main:\n  steps:\n    - all:\n        for:\n          value: n\n          range: [1, 400]\n          steps:\n"
    )
    (tmp_path / "long.yaml").write_text(
        f"{loop}            - one:\n                assign:\n                  - x: ${{n}}\n"
    )
    greeting.cloud.services.workflows.deploy("long", tmp_path / "long.yaml", {}, "")
    made = greeting.cloud.services.workflows.api.create(WORKFLOW.replace("greeting", "long"), "", {}, 0)
    address = f"executions/long/{made.name.rpartition('/')[2]}"
    wait_until(lambda: greeting.get(address)["state"] == "SUCCEEDED")
    found = greeting.get(address)
    assert len(found["history"]) == 300
    assert found["history_left_out"] == 101
    assert [one["entry"] for one in found["history"]] == sorted(one["entry"] for one in found["history"])


def test_a_failed_execution_shows_its_error(greeting: Desk) -> None:
    number = execute(greeting, '{"name": 7, "seconds": 0}')
    wait_until(lambda: greeting.get(f"executions/greeting/{number}")["state"] == "FAILED")
    assert "TypeError" in str(greeting.get(f"executions/greeting/{number}")["error"])


def test_an_execution_is_cancelled_once(greeting: Desk) -> None:
    number = execute(greeting, '{"name": "you", "seconds": 600}')
    cancelled = greeting.send("POST", f"executions/greeting/{number}/cancel")
    assert (cancelled.status_code, cancelled.json()["state"]) == (200, "CANCELLED")
    assert greeting.send("POST", f"executions/greeting/{number}/cancel").status_code == 409


@pytest.mark.parametrize("path", ["executions/greeting/absent", "executions/absent/1", "executions/greeting/1/source"])
def test_an_execution_that_is_not_there_is_404(greeting: Desk, path: str) -> None:
    assert greeting.http.get(f"/_cloud/{path}").status_code == 404
