"""Real processes killed with SIGKILL at bad moments: the run still ends, with exactly one report."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.e2e.processes import Api, eventually, expect_one_report, killed_at
from tests.e2e.world import NOTES, QUESTION
from tests.support.command import SECONDS, up

POINTS = [
    "before_commit:operation.create",
    "after_commit:operation.create",
    "after_call:executions.create",
    "after_commit:operation.claim",
    "after_commit:operation.intend",
    "after_call:interactions.create",
    "after_commit:operation.interaction",
    "after_call:interactions.get",
    "before_commit:operation.end",
    "after_commit:operation.end",
    "after_commit:operation.listen",
    "after_commit:operation.woken",
    "after_call:callbacks.wake",
]
TOLD = {"after_commit:operation.woken", "after_call:callbacks.wake"}
"""Come by only where the service tells of the end before anybody looks by himself."""
INTENDED = {"after_commit:operation.intend", "after_call:interactions.create"}
"""Where an intent must run out before it goes on. Elsewhere no create counts as lost because the machine is busy."""
PAID_TWICE = {"after_call:interactions.create"}
"""Where the process dies between the paid call and the storing of its id: the one place where a run can be lost."""


@pytest.mark.parametrize(
    "point", [point if n == 1 else pytest.param(point, marks=pytest.mark.slow) for n, point in enumerate(POINTS)]
)
def test_functions_killed_at_a_point_go_on_to_exactly_one_report(tmp_path: Path, point: str) -> None:
    env = {
        "RESEARCH_CREATE_TIMEOUT_SECONDS": "4" if point in INTENDED else "60",
        "RESEARCH_POLL_MIN_SECONDS": "30" if point in TOLD else "0.5",
    }
    with killed_at(point, tmp_path, run_seconds=1.0, **env) as victim:
        api = victim.api
        for title, body in NOTES:
            api.write_note(title, body)
        api.write_note("A question", QUESTION, "research")
        victim.wait_for_the_kill()
        eventually(api.ended, "the end of the operation")
        expect_one_report(api)
        assert victim.restarts >= 1
        assert len(victim.paid_runs) == (2 if point in PAID_TWICE else 1)


@pytest.mark.slow
def test_the_local_cloud_killed_while_the_workflow_sleeps_goes_on_after_a_restart(tmp_path: Path) -> None:
    arguments = ("--data", str(tmp_path), "--run-seconds", "8")
    with up(*arguments) as (process, line):
        api = Api(line["http"], line["token"])
        for title, body in NOTES:
            api.write_note(title, body)
        api.write_note("A question", QUESTION, "research")
        eventually(lambda: any(op["attempts"] >= 2 for op in api.operations()), "two polls")
        os.kill(process.pid, signal.SIGKILL)
        process.wait(SECONDS)
    with up(*arguments) as (_, line):
        api = Api(line["http"], line["token"])
        eventually(api.ended, "the end of the operation")
        expect_one_report(api)
