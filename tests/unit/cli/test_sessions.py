"""`memex sessions`: what is said of the store, of a checkpoint, and of one that is gone."""

from __future__ import annotations

import json
from typing import Any

from tests.unit.cli.conftest import Run
from tests.unit.cli.server import Answer, Script

PATH = "/api/v1/chat/checkpoints"
STORE = {
    "kind": "agent-engine",
    "where": "projects/p/locations/l/reasoningEngines/1",
    "about": "Every instance sees every conversation.",
    "retention": {"who": "The session service", "active": False, "seconds": None, "how": "Set SESSIONS_TTL."},
}


def entry(name: str, **fields: Any) -> dict[str, Any]:
    given = {"session_id": name, "owner": "demo", "version": 3, "saved_at": "2026-11-30T12:00:00Z", "expires_at": None}
    return {**given, **fields}


def test_sessions_are_listed_over_as_many_pages_as_it_takes(script: Script, run: Run) -> None:
    pages = [
        Answer({"store": STORE, "checkpoints": [entry("s1"), entry("s2", version=None)], "next_cursor": "c"}),
        Answer({"store": STORE, "checkpoints": [entry("s\x1b3")], "next_cursor": None}),
    ]
    script.on("GET", PATH, *pages)
    shown = run("sessions", "list")
    assert shown.exit_code == 0 and STORE["where"] in shown.stdout and "SESSIONS_TTL" in shown.stdout
    assert "unreadable" in shown.stdout and "\x1b3" not in shown.stdout
    assert [one.path for one in script.seen] == [f"{PATH}?limit=50", f"{PATH}?limit=48&cursor=c"]


def test_a_checkpoint_is_shown_in_words_or_as_it_is(script: Script, run: Run) -> None:
    data = {
        "seq": 71,
        "summary": "They spoke of rye.",
        "summarised_turns": 50,
        "tools": {"calls": {"search_notes": 9}, "met": [{"title": "Rye", "note_id": "n1"}]},
    }
    envelope = {"format": "memex.checkpoint/1", "owner": "demo", "version": 4, "saved_at": "…", "data": data}
    script.on("GET", f"{PATH}/s1", Answer({"session_id": "s1", "checkpoint": envelope}))
    shown = run("sessions", "show", "s1").stdout
    assert "They spoke of rye." in shown and "search_notes, 9 times" in shown and "n1  Rye" in shown
    assert json.loads(run("sessions", "show", "s1", "--json").stdout)["checkpoint"] == envelope


def test_what_is_not_there_is_forgotten_already(script: Script, run: Run) -> None:
    script.on("DELETE", f"{PATH}/s1", Answer(b"", 204))
    done = run("sessions", "forget", "s1", "s2", "--json")
    assert done.exit_code == 0 and json.loads(done.stdout) == {"forgotten": ["s1"]}
    assert "no conversation s2" in done.stderr


def test_a_store_that_refuses_is_told_in_its_words(script: Script, run: Run) -> None:
    body = {"error": {"code": "checkpoint_format", "message": "Its format is memex.checkpoint/9.", "details": {}}}
    script.on("GET", f"{PATH}/s1", Answer(body, 422))
    shown = run("sessions", "show", "s1")
    assert shown.exit_code == 1 and "memex.checkpoint/9" in shown.stderr
