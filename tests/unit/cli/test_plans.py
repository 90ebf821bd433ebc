"""`memex research` and `memex plan` against a scripted API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.conftest import Run
from tests.unit.cli.server import Answer, Script

OPERATION = "/api/v1/operations/op_1"


def an_operation(status: str = "awaiting_approval", **plan: Any) -> dict[str, Any]:
    return {
        "id": "op_1",
        "title": "Why bees dance",
        "source_note_id": "n1",
        "status": status,
        "created_at": "2026-12-01T02:00:00Z",
        "seq": 1,
        "plan_first": True,
        "plan": {
            "text": "1. Look at bees.\x1b[2J",
            "revision": 3,
            "edited_by_person": True,
            "proposed_at": "2026-12-01T02:00:00Z",
            "expires_at": "2026-12-31T02:00:00Z",
            "estimate_low_usd": 1.0,
            "estimate_high_usd": 3.0,
            "estimate_low_minutes": 5.0,
            "estimate_high_minutes": 20.0,
            "estimate_basis": "What most runs cost.",
            "planning_usd": 0.05,
            "approved_at": None,
            "approved_by": "",
            **plan,
        },
    }


@pytest.fixture
def waiting(script: Script) -> Script:
    script.on("GET", OPERATION, Answer({"operation": an_operation()}))
    approved = an_operation("running", approved_at="2026-12-01T03:00:00Z", approved_by="anna")
    answer = {"operation": approved, "changed": True, "message": "Approved: the research begins."}
    script.on("POST", f"{OPERATION}/approve", Answer(answer))
    return script


def sent(script: Script, method: str = "POST") -> Any:
    return next(seen.body for seen in script.seen if seen.method == method)


def test_a_question_becomes_a_note_and_its_research_is_planned(run: Run, script: Script) -> None:
    script.on("POST", "/api/v1/notes", Answer({"note": {"id": "n1"}}))
    script.on("POST", "/api/v1/notes/n1/research", Answer({"operation": an_operation("running")}))
    assert run("research", "Why do bees dance?", "--plan").stdout == "op_1\n"
    assert script.seen[0].body["body"] == "Why do bees dance?" and script.seen[1].body == {"plan": True}
    assert script.seen[0].headers["Idempotency-Key"] != script.seen[1].headers["Idempotency-Key"]


@pytest.mark.parametrize(("flag", "body"), [(["--no-plan"], {"plan": False}), ([], {})])
def test_a_note_is_researched_as_the_workspace_has_it_unless_it_is_said(
    run: Run, script: Script, flag: list[str], body: dict[str, Any]
) -> None:
    script.on("POST", "/api/v1/notes/n1/research", Answer({"operation": an_operation("running")}))
    assert run("research", "--note", "n1", *flag).exit_code == 0 and sent(script) == body
    assert run("research").exit_code == 2 and run("research", "q", "--note", "n1").exit_code == 2


def test_a_plan_is_shown_with_what_its_run_may_cost_and_drives_no_terminal(run: Run, waiting: Script) -> None:
    out = run("plan", "show", "op_1").stdout
    assert "1. Look at bees.\\x1b[2J" in out and "Revision 3, edited" in out
    assert "1.00 to 3.00 USD and take 5 to 20 minutes; planning has cost 0.05 USD" in out
    assert "Waits until 2026-12-31T02:00" in out and "memex plan approve op_1" in out


def test_the_plans_that_wait_are_listed(run: Run, script: Script) -> None:
    script.on("GET", "/api/v1/operations", Answer({"operations": [an_operation()], "next_cursor": None}))
    out = run("plan", "list").stdout
    assert "op_1" in out and "1.00–3.00" in out
    assert script.seen[0].path == "/api/v1/operations?status=awaiting_approval&limit=50"


def test_approving_shows_the_plan_asks_and_says_which_revision(run: Run, waiting: Script) -> None:
    assert run("plan", "approve", "op_1", input="n\n").exit_code == 1
    assert all(seen.method == "GET" for seen in waiting.seen)
    result = run("plan", "approve", "op_1", input="y\n")
    assert "Look at bees" in result.stdout and result.stdout.endswith("Approved: the research begins.\n")
    assert sent(waiting) == {"revision": 3, "text": None, "anyway": False}


def test_a_revision_that_is_named_is_approved_without_asking(run: Run, waiting: Script) -> None:
    assert run("plan", "approve", "op_1", "--revision", "2", "--anyway").exit_code == 0
    assert sent(waiting) == {"revision": 2, "text": None, "anyway": True}


def test_a_plan_is_edited_from_a_file(run: Run, waiting: Script, tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text("1. Only honey bees.")
    waiting.on("PATCH", f"{OPERATION}/plan", Answer({"operation": an_operation(revision=4)}))
    assert run("plan", "edit", "op_1", "--file", str(tmp_path / "plan.md")).stdout.startswith("Revision 4")
    assert sent(waiting, "PATCH") == {"text": "1. Only honey bees.", "revision": 3}


def test_another_plan_is_asked_for_and_one_is_dropped(run: Run, waiting: Script) -> None:
    waiting.on("POST", f"{OPERATION}/plan", Answer({"operation": an_operation("running")}))
    assert "memex ops watch op_1" in run("plan", "change", "op_1", "Shorter").stdout
    assert sent(waiting) == {"change": "Shorter", "revision": 3}
    dropped = {"operation": an_operation("cancelled"), "cancelled": True, "message": "The plan was dropped."}
    waiting.on("POST", f"{OPERATION}/cancel", Answer(dropped))
    assert "The plan was dropped." in run("plan", "drop", "op_1").stdout


def test_an_operation_without_a_plan_says_why(run: Run, script: Script) -> None:
    script.on("GET", OPERATION, Answer({"operation": {**an_operation("running"), "plan": None}}))
    assert "still being made" in run("plan", "show", "op_1").stderr


def test_watching_ends_where_the_plan_waits(run: Run, waiting: Script) -> None:
    event = {
        "v": 1,
        "id": "op_1-1",
        "seq": 1,
        "type": "plan_proposed",
        "at": "2026-12-01T02:00:05Z",
        "stream": "operations/op_1",
        "data": {"estimate_low_usd": 1.0, "estimate_high_usd": 3.0},
    }
    waiting.on("GET", f"{OPERATION}/events", Answer(f"id: 1\ndata: {json.dumps(event)}\n\n".encode()))
    result = run("ops", "watch", "op_1")
    assert result.exit_code == 5 and result.stdout.endswith("The plan waits for your word: memex plan show op_1\n")


def test_the_only_plan_that_waits_needs_no_id(run: Run, waiting: Script) -> None:
    waiting.on("GET", "/api/v1/operations", Answer({"operations": [an_operation()]}))
    assert "Look at bees" in run("plan", "show").output
    assert run("plan", "approve", "--yes").exit_code == 0 and sent(waiting)["revision"] == 3


@pytest.mark.parametrize(
    ("ids", "said"), [([], "No plan waits"), (["op_1", "op_2"], "Several plans wait, say which: op_1, op_2.")]
)
def test_without_an_id_none_or_several_are_said(run: Run, waiting: Script, ids: list[str], said: str) -> None:
    waiting.on("GET", "/api/v1/operations", Answer({"operations": [{**an_operation(), "id": one} for one in ids]}))
    refused = run("plan", "approve", "--yes")
    assert refused.exit_code == 1 and said in refused.stderr


@pytest.mark.parametrize(("command", "said"), [("approve", "say --yes"), ("edit", "--file")])
def test_where_nobody_can_be_asked_it_says_what_to_give(run: Run, waiting: Script, command: str, said: str) -> None:
    refused = run("plan", command, "op_1")
    assert refused.exit_code == 1 and said in refused.stderr
    assert all(seen.method == "GET" for seen in waiting.seen)
