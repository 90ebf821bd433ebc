"""`memex workspace` against a scripted API."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.cli.conftest import Run
from tests.unit.cli.server import Answer, Script

OWN, ALL, MEMBERS = "/api/v1/workspace", "/api/v1/workspaces", "/api/v1/workspace/members"
MOMENT = "2026-11-30T12:00:00Z"
OWNER = Answer({"workspace": "demo", "role": "owner", "name": "token-1", "expires_at": None})
OPERATOR = Answer({"workspace": "", "role": "operator", "name": "token-2", "expires_at": None})


def a_deletion(**fields: Any) -> dict[str, Any]:
    counts = {"stopped": 0, "documents": 0, "files": 0, "sessions": 0, "problems": []}
    begun = {"status": "marked", "phase": "stopping", "begins_at": MOMENT, "finished_at": None}
    return {**begun, **counts, **fields}


def a_workspace(**fields: Any) -> dict[str, Any]:
    plain = {"id": "demo", "name": "", "plan": "free", "features": {}, "quotas": {}, "created_at": None}
    return {"workspace": {**plain, "deletion": None, **fields}}


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.cli.workspaces._PAUSE_SECONDS", 0.0)


def test_a_workspace_is_made_with_its_owner(run: Run, script: Script) -> None:
    script.on("POST", ALL, Answer(a_workspace(), 201))
    result = run("workspace", "create", "demo", "--owner", "ada@example.com", "--plan", "pro")
    assert result.stdout == "demo\n"
    assert script.seen[0].body == {"id": "demo", "name": "", "plan": "pro", "owner": "ada@example.com"}


def test_workspaces_are_listed_with_what_becomes_of_them(run: Run, script: Script) -> None:
    plain = {"name": "", "plan": "free", "role": "owner", "created_at": None}
    marked = {"id": "old\x1b[2J", **plain, "deletion": "marked", "begins_at": MOMENT}
    script.on(
        "GET", ALL, Answer({"workspaces": [{"id": "demo", **plain, "deletion": None, "begins_at": None}, marked]})
    )
    result = run("workspace", "list")
    assert "demo" in result.stdout and "deleted after 2026-11-30 12:00" in result.stdout
    assert "\x1b" not in result.stdout


def test_the_name_has_to_be_typed(run: Run, script: Script) -> None:
    script.on("GET", "/api/v1/me", OWNER)
    script.on("DELETE", OWN, Answer({"deletion": a_deletion()}, 202))
    result = run("workspace", "delete", "demo", input="dome\n")
    assert result.exit_code == 1 and "not its name" in result.stderr
    assert [one.method for one in script.seen] == ["GET"]
    result = run("workspace", "delete", "demo", input="demo\n")
    assert result.exit_code == 0 and "memex workspace restore demo" in result.stderr
    assert script.seen[-1].body == {"now": False}


def test_a_deletion_at_once_is_watched_to_its_end(run: Run, script: Script) -> None:
    script.on("GET", "/api/v1/me", OPERATOR)
    script.on("DELETE", f"{ALL}/demo", Answer({"deletion": a_deletion()}, 202))
    running = a_deletion(status="running", phase="documents", documents=300)
    ended = a_deletion(status="completed", phase="done", documents=512, files=3)
    script.on("GET", f"{ALL}/demo", *(Answer(a_workspace(deletion=one)) for one in (running, ended)))
    result = run("workspace", "delete", "demo", "--now", "--yes")
    assert result.stdout == "demo is gone: 512 documents, 3 files.\n"
    assert "documents · 300 documents" in result.stderr


def test_an_owner_whose_membership_went_with_it_is_told_so(run: Run, script: Script) -> None:
    script.on("GET", "/api/v1/me", OWNER)
    script.on("DELETE", OWN, Answer({"deletion": a_deletion(status="running")}, 202))
    out = {"error": {"code": "forbidden", "message": "You are no member.", "details": {}}}
    script.on("GET", OWN, Answer(out, 403))
    result = run("workspace", "delete", "demo", "--now", "--yes")
    assert (result.exit_code, result.stdout) == (0, "demo is gone, and your membership with it.\n")


def test_another_workspace_than_ones_own_is_not_deleted_by_mistake(run: Run, script: Script) -> None:
    script.on("GET", "/api/v1/me", OWNER)
    result = run("workspace", "delete", "other", "--yes")
    assert result.exit_code == 1 and "in the workspace demo" in result.stderr
    assert len(script.seen) == 1


def test_a_workspace_is_shown_with_its_deletion_and_restored(run: Run, script: Script) -> None:
    script.on("GET", "/api/v1/me", OWNER)
    script.on("GET", OWN, Answer(a_workspace(deletion=a_deletion(problems=["The operation op1 may still run."]))))
    script.on("POST", f"{OWN}/restore", Answer(a_workspace()))
    result = run("workspace", "show")
    assert "marked" in result.stdout and "! The operation op1 may still run." in result.stdout
    assert run("workspace", "restore", "demo").stdout == "demo is as it was.\n"


def test_members_are_let_in_listed_and_let_go(run: Run, script: Script) -> None:
    member = {"email": "ada@example.com", "role": "owner", "added_at": MOMENT, "added_by": ""}
    script.on("GET", MEMBERS, Answer({"members": [member]}))
    script.on("PUT", f"{MEMBERS}/ada%40example.com", Answer({"member": member}))
    script.on("DELETE", f"{MEMBERS}/ada%40example.com", Answer({}))
    assert "ada@example.com" in run("workspace", "members", "list").stdout
    assert run("workspace", "members", "add", "ada@example.com", "--role", "owner").stdout == "ada@example.com\n"
    assert script.seen[-1].body == {"role": "owner"}
    assert run("workspace", "members", "remove", "ada@example.com").exit_code == 0
