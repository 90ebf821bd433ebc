"""`memex search`, `task`, `approval` and `routine` against a scripted API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from infra.cli.follow import Follower
from tests.unit.cli.conftest import Run
from tests.unit.cli.server import Answer, Script

TASKS, APPROVALS = "/api/v1/tasks", "/api/v1/approvals"
MOMENT = "2026-11-30T12:00:00Z"


def a_task(task_id: str = "t1", **fields: Any) -> dict[str, Any]:
    return {"id": task_id, "title": "Call \x1b[2JAnna", "due": "2026-12-01", "done": False, **fields}


def an_approval(**fields: Any) -> dict[str, Any]:
    return {
        "id": "a1",
        "status": "pending",
        "title": "Change the note",
        "tool": "update_note",
        "target": "notes/n1",
        "proposed_by": "routine/digest-2026-11-30",
        "reason": "You said so.",
        "created_at": MOMENT,
        "before": {"tags": ["a"], "body": "one\ntwo"},
        "after": {"tags": ["b"], "body": "three"},
        "error": None,
        **fields,
    }


def test_a_search_asks_with_its_filters_and_shows_hits_without_controls(run: Run, script: Script) -> None:
    hit = {"id": "n1", "title": "Roof\x07", "tags": ["solar"], "excerpt": "…\x1b[31mnew panels"}
    script.on("GET", "/api/v1/search", Answer({"hits": [hit], "looked_at": 1}))
    result = run("search", "new", "panels", "--tag", "solar", "--after", "2026-11-01")
    assert script.seen[0].path == "/api/v1/search?q=new+panels&tag=solar&after=2026-11-01&limit=10"
    assert "#solar" in result.stdout and "new panels" in result.stdout and "\x1b" not in result.stdout
    assert json.loads(run("search", "x", "--json").stdout)["hits"] == [hit]


def test_a_search_that_finds_nothing_says_so(run: Run, script: Script) -> None:
    script.on("GET", "/api/v1/search", Answer({"hits": [], "looked_at": 0}))
    result = run("search", "x")
    assert (result.exit_code, result.stdout) == (0, "") and "Nothing found" in result.stderr


def test_a_task_is_added_with_a_key(run: Run, script: Script) -> None:
    script.on("POST", TASKS, Answer({"task": a_task()}, 201))
    assert run("task", "add", "Call Anna", "--due", "2026-12-01", "--note", "n1").stdout == "t1\n"
    wanted = {"title": "Call Anna", "due": "2026-12-01", "notes": "", "source_note_id": "n1"}
    assert script.seen[0].body == wanted and len(script.seen[0].headers["Idempotency-Key"]) == 26


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        ([], ""),
        (["--open"], "done=false&"),
        (["--done", "--due-before", "2026-12-01"], "done=true&due_before=2026-12-01&"),
    ],
)
def test_tasks_are_listed(run: Run, script: Script, arguments: list[str], asked: str) -> None:
    script.on("GET", TASKS, Answer({"tasks": [a_task()], "next_cursor": None}))
    result = run("task", "list", *arguments)
    assert script.seen[0].path == f"{TASKS}?{asked}limit=50" and "2026-12-01" in result.stdout
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        (["done", "t1"], {"done": True}),
        (["done", "t1", "--undo"], {"done": False}),
        (["edit", "t1", "--title", "New", "--due", "none"], {"title": "New", "due": None}),
        (["edit", "t1", "--notes", ""], {"notes": ""}),
    ],
)
def test_tasks_are_changed(run: Run, script: Script, arguments: list[str], sent: dict[str, Any]) -> None:
    script.on("PATCH", f"{TASKS}/t1", Answer({"task": a_task()}))
    assert run("task", *arguments).exit_code == 0 and script.seen[0].body == sent


@pytest.mark.parametrize(
    ("group", "path", "field", "said"),
    [
        ("task", TASKS, "tasks", "No tasks."),
        ("approval", APPROVALS, "approvals", "Nothing waits for your word."),
        ("document", "/api/v1/documents", "documents", "No documents."),
        ("run", "/api/v1/agent_runs", "runs", "No runs."),
        ("note", "/api/v1/notes", "notes", "No notes."),
    ],
)
def test_a_list_of_nothing_says_so_beside_the_output(
    run: Run, script: Script, group: str, path: str, field: str, said: str
) -> None:
    script.on("GET", path, Answer({field: [], "next_cursor": None}))
    script.on("GET", "/api/v1/operations", Answer({"operations": [], "next_cursor": None}))
    result = run(group, "list")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"{said}\n")


@pytest.mark.parametrize(
    ("group", "path", "body"),
    [
        ("run", "/api/v1/agent_runs/x1", {"run": {"id": "x1", "goal": "Compare.", "created_at": MOMENT}}),
        ("ops", "/api/v1/operations/x1", {"operation": {"id": "x1", "title": "Roof", "created_at": MOMENT}}),
    ],
)
def test_ctrl_c_ends_the_watching_alone_and_says_how_to_go_on(
    run: Run, script: Script, monkeypatch: pytest.MonkeyPatch, group: str, path: str, body: dict[str, Any]
) -> None:
    def interrupted(_follower: Follower) -> Iterator[dict[str, Any]]:
        raise KeyboardInterrupt

    monkeypatch.setattr(Follower, "events", interrupted)
    script.on("GET", path, Answer(body))
    result = run(group, "watch", "x1")
    assert result.exit_code == 130 and f"memex {group} watch x1" in result.stderr and "Aborted" not in result.stderr
    assert [seen.method for seen in script.seen] == ["GET"], "nothing is cancelled"


def test_an_edit_of_nothing_is_wrong_usage(run: Run) -> None:
    assert run("task", "edit", "t1").exit_code == 2


def test_a_task_is_deleted(run: Run, script: Script) -> None:
    script.on("DELETE", f"{TASKS}/t1", Answer({}))
    assert run("task", "delete", "t1").stdout == "t1 is deleted.\n"


def test_an_approval_shows_both_sides(run: Run, script: Script) -> None:
    script.on("GET", f"{APPROVALS}/a1", Answer({"approval": an_approval(), "changed": False, "message": ""}))
    out = run("approval", "show", "a1").stdout
    assert "- one\n- two\n+ three" in out and '- [\n-  "a"\n- ]\n+ [\n+  "b"\n+ ]' in out and "You said so." in out


def test_pending_approvals_are_listed_first_and_all_on_demand(run: Run, script: Script) -> None:
    waiting = {"id": "op_1", "title": "Why bees dance", "source_note_id": "n1"}
    script.on("GET", APPROVALS, Answer({"approvals": [an_approval()], "next_cursor": None}))
    script.on("GET", "/api/v1/operations", Answer({"operations": [waiting], "next_cursor": None}))
    out = run("approval", "list").stdout
    assert "Change the note" in out and "Research plan: Why bees dance  memex plan show op_1" in out
    run("approval", "list", "--status", "all")
    asked = [seen.path for seen in script.seen if seen.path.startswith(APPROVALS)]
    assert asked == [f"{APPROVALS}?status=pending&limit=50", f"{APPROVALS}?limit=50"]


@pytest.mark.parametrize(
    ("verb", "status", "code"),
    [
        ("approve", "approved", 0),
        ("approve", "failed", 1),
        ("approve", "rejected", 1),
        ("reject", "rejected", 0),
        ("reject", "approved", 1),
    ],
)
def test_a_decision_that_could_not_be_had_is_a_failure(
    run: Run, script: Script, verb: str, status: str, code: int
) -> None:
    answer = {"approval": an_approval(status=status), "changed": True, "message": "Said."}
    script.on("POST", f"{APPROVALS}/a1/{verb}", Answer(answer))
    result = run("approval", verb, "a1")
    assert (result.exit_code, result.stdout) == (code, "a1: Said.\n")


def test_a_stale_approval_says_why(run: Run, script: Script) -> None:
    error = {"error": {"code": "conflict", "message": "It has been changed since.", "details": {"status": "stale"}}}
    script.on("POST", f"{APPROVALS}/a1/approve", Answer(error, 409))
    result = run("approval", "approve", "a1")
    assert result.exit_code == 1 and "changed since" in result.stderr


def test_a_routine_prints_its_note(run: Run, script: Script) -> None:
    answer = {"kind": "digest", "note_id": "n1", "created": True, "approvals": ["a1"], "message": "Written."}
    script.on("POST", "/api/v1/routines/digest/run", Answer(answer))
    result = run("routine", "run", "digest")
    assert result.stdout == "n1\n" and "1 changes are proposed" in result.stderr
    assert run("routine", "run", "dance").exit_code == 2
