"""`memex brain` against a scripted API."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.unit.cli.conftest import Run
from tests.unit.cli.server import Answer, Script

BRAIN = "/api/v1/brain"
MOMENT = "2026-11-30T12:00:00Z"


def an_agent(**fields: Any) -> dict[str, Any]:
    return {
        "id": "committer",
        "model": "rules",
        "last_run_at": MOMENT,
        "success_rate": 0.875,
        "refusal_rate": None,
        "pending": 3,
        "running": 1,
        "failed": 0,
        **fields,
    }


def a_job(**fields: Any) -> dict[str, Any]:
    return {
        "id": "job_1",
        "kind": "committer",
        "status": "done",
        "attempts": 0,
        "max_attempts": 3,
        "waiting_on": 0,
        "run_after": MOMENT,
        "created_at": MOMENT,
        "model": "rules",
        "error": None,
        **fields,
    }


def a_record(**fields: Any) -> dict[str, Any]:
    return {
        "id": "rec_1",
        "type": "preference",
        "subject": "me",
        "text": "I prefer \x1b[2Jtea.",
        "status": "current",
        "confidence": 0.5,
        "pinned": True,
        "excluded": False,
        "valid_from": "2026-01-02T00:00:00Z",
        "valid_to": None,
        "annotation": "",
        "links": [{"title": "Breakfast", "link": "#/notes/n1"}],
        "sources": [{"kind": "note", "id": "n1", "title": "Breakfast", "start": 4, "end": 16, "quote": "I prefer tea"}],
        **fields,
    }


def test_agents_are_a_table_with_their_health(run: Run, script: Script) -> None:
    script.on("GET", f"{BRAIN}/agents", Answer({"agents": [an_agent()], "jobs": {}}))
    lines = run("brain", "agents").stdout.splitlines()
    assert lines[1].split() == ["committer", "rules", "2026-11-30", "12:00", "88%", "-", "3", "1", "0"]
    assert json.loads(run("brain", "agents", "--json").stdout)["agents"] == [an_agent()]


@pytest.mark.parametrize(
    ("job", "said"),
    [
        (a_job(status="pending", waiting_on=2), "waits for 2 others"),
        (a_job(status="pending"), "due 2026-11-30 12:00"),
        (
            a_job(status="pending", attempts=1, error={"code": "x", "message": "no model"}),
            "again at 2026-11-30 12:00: no model",
        ),
        (a_job(status="failed", attempts=3, error={"code": "x", "message": "no\x1bmodel"}), "no\\x1bmodel"),
    ],
)
def test_a_job_in_the_list_says_what_it_waits_for(run: Run, script: Script, job: dict[str, Any], said: str) -> None:
    script.on("GET", f"{BRAIN}/jobs", Answer({"jobs": [job], "next_cursor": None}))
    result = run("brain", "jobs", "--status", job["status"], "--kind", "committer")
    assert said in result.stdout and "\x1b" not in result.stdout
    assert script.seen[0].path == f"{BRAIN}/jobs?status={job['status']}&kind=committer&limit=20"


def test_an_agent_is_run_with_an_object(run: Run, script: Script) -> None:
    script.on("POST", f"{BRAIN}/agents/source_chunker/run", Answer({"job": a_job()}, 201))
    result = run("brain", "run", "source_chunker", '{"document_id": "d"}', "--priority", "70")
    assert result.stdout == "job_1\n"
    assert script.seen[0].body == {"input": {"document_id": "d"}, "priority": 70}


@pytest.mark.parametrize("given", ["{", "[1]", "7"])
def test_an_input_that_is_no_object_is_wrong_usage(run: Run, script: Script, given: str) -> None:
    result = run("brain", "run", "committer", given)
    assert result.exit_code == 2 and "input" in result.stderr and not script.seen


@pytest.mark.parametrize("verb", ["retry", "cancel"])
def test_a_job_is_changed_and_the_words_of_the_server_are_said(run: Run, script: Script, verb: str) -> None:
    answer = {"job": a_job(), "changed": False, "message": "It is done: nothing was changed."}
    script.on("POST", f"{BRAIN}/jobs/job_1/{verb}", Answer(answer))
    result = run("brain", verb, "job_1")
    assert result.exit_code == 0 and "It is done: nothing was changed." in result.stdout


def test_recall_shows_what_is_remembered_and_where_it_was_said(run: Run, script: Script) -> None:
    script.on("GET", f"{BRAIN}/records", Answer({"records": [a_record()], "next_cursor": None}))
    result = run("brain", "recall", "hot", "drinks", "--as-of", "2026-02-01")
    assert script.seen[0].path == f"{BRAIN}/records?q=hot+drinks&as_of=2026-02-01&limit=8"
    assert "★" in result.stdout and "Breakfast (note n1)" in result.stdout and "2026-01-02 to" in result.stdout
    assert "\x1b" not in result.stdout


def test_recall_of_nothing_says_so_beside_the_output(run: Run, script: Script) -> None:
    script.on("GET", f"{BRAIN}/records", Answer({"records": [], "message": ""}))
    result = run("brain", "recall", "x")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "Nothing of that is remembered.\n")


def test_why_tells_the_whole_trail(run: Run, script: Script) -> None:
    item = {"id": "item_1", "status": "committed", "reason": "Nobody objected.", "payload": {"text": "I prefer tea."}}
    critique = {"item": {"kind": "critique", "payload": {"verdict": "supports", "reason": "Said twice."}}, "job": None}
    trail = [{"item": item, "job": a_job(kind="cognitive_extractor"), "critiques": [critique]}]
    answer = {
        "record": a_record(),
        "trail": trail,
        "supersedes": [a_record(id="rec_0", text="I prefer coffee.")],
        "superseded_by": None,
        "contradictions": [],
    }
    script.on("GET", f"{BRAIN}/records/rec_1/why", Answer(answer))
    told = run("brain", "why", "rec_1").stdout
    for part in ("“I prefer tea”", "n1 4–16", "Nobody objected.", "cognitive_extractor", "supports: Said twice."):
        assert part in told
    assert "Held until then: I prefer coffee." in told and "\x1b" not in told
    assert json.loads(run("brain", "why", "rec_1", "--json").stdout) == answer


def test_what_the_server_refuses_is_said(run: Run, script: Script) -> None:
    error = {"error": {"code": "not_found", "message": "There is no agent 'x'; there are: committer.", "details": {}}}
    script.on("POST", f"{BRAIN}/agents/x/run", Answer(error, 404))
    result = run("brain", "run", "x")
    assert result.exit_code == 1 and "there are: committer" in result.stderr
