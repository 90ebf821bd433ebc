"""`memex pause`, `memex resume` and `memex health` against a scripted API."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.unit.cli.conftest import Run
from tests.unit.cli.server import Answer, Script

ME, SPENDING = "/api/v1/me", "/api/v1/spending"
GOES_ON = {"paused": False, "by": "", "at": None, "reason": ""}
PAUSED = {"paused": True, "by": "token-1", "at": "2026-12-01T00:00:00Z", "reason": "the budget"}


def me(role: str) -> Answer:
    return Answer({"workspace": "" if role == "operator" else "demo", "role": role, "name": "x", "expires_at": None})


def spending(workspace: Any, project: Any) -> Answer:
    paused = bool((workspace or GOES_ON)["paused"] or project["paused"])
    return Answer({"paused": paused, "workspace": workspace, "project": project, "within_seconds": 5.0})


def test_a_workspace_is_paused_with_the_reason_given(run: Run, script: Script) -> None:
    script.on("GET", ME, me("owner"))
    script.on("PUT", SPENDING, spending(PAUSED, GOES_ON))
    result = run("pause", "--reason", "the budget")
    assert result.exit_code == 0 and "paused by token-1: the budget" in result.stdout
    assert script.seen[-1].body == {"paused": True, "reason": "the budget"}


def test_resuming_a_workspace_says_that_the_project_is_paused_still(run: Run, script: Script) -> None:
    script.on("GET", ME, me("owner"))
    script.on("PUT", SPENDING, spending(GOES_ON, PAUSED))
    result = run("resume")
    assert script.seen[-1].body == {"paused": False} and "memex resume --all" in result.stdout


def test_an_operator_pauses_the_whole_project_and_gets_json(run: Run, script: Script) -> None:
    script.on("GET", ME, me("operator"))
    script.on("PUT", SPENDING, spending(None, PAUSED))
    result = run("pause", "--all", "--json")
    assert json.loads(result.stdout)["project"]["paused"] is True


@pytest.mark.parametrize(("role", "options"), [("owner", ["--all"]), ("operator", [])])
def test_whose_switch_is_meant_must_fit_the_token(run: Run, script: Script, role: str, options: list[str]) -> None:
    script.on("GET", ME, me(role))
    result = run("pause", *options)
    assert result.exit_code != 0 and "--all" in result.stderr
    assert [seen.method for seen in script.seen] == ["GET"]


def test_health_is_a_table_and_an_exit_code(run: Run, script: Script) -> None:
    good = {"status": "ok", "checks": [{"name": "firestore", "status": "ok", "milliseconds": 7}]}
    bad = {"status": "failing", "checks": [{"name": "models", "status": "failing", "milliseconds": 0}]}
    script.on("GET", "/api/v1/_health", Answer(good))
    script.on("GET", "/api/v1/chat/_health", Answer(good), Answer(bad, status=503))
    assert run("health").exit_code == 0
    result = run("health")
    assert result.exit_code == 1 and "models" in result.stdout and "failing" in result.stdout
