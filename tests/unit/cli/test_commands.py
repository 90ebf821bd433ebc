"""The commands against a scripted API: what they send, print and exit with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from infra.cli import watching
from infra.cli.main import memex
from tests.unit.cli.conftest import Run
from tests.unit.cli.server import Answer, Script, event, frames, note, operation

NOTES = "/api/v1/notes"
OPERATIONS = "/api/v1/operations"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [(["a thought"], None), (["--file", "-"], "a thought"), ([], "a thought")],
)
def test_a_note_is_added_from_argument_file_or_stdin(run: Run, script: Script, arguments: list[str], text: str) -> None:
    script.on("POST", NOTES, Answer({"note": note()}, 201))
    result = run("note", "add", "--title", "T", "--tag", "x", "--tag", "y", *arguments, input=text)
    assert (result.exit_code, result.stdout) == (0, "n1\n")
    assert script.seen[0].body == {"title": "T", "body": "a thought", "tags": ["x", "y"]}
    assert len(script.seen[0].headers["Idempotency-Key"]) == 26


def test_text_that_is_given_twice_or_is_no_text_is_wrong_usage(run: Run, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_bytes(b"\xff\xfe")
    assert run("note", "add", "text", "--file", str(tmp_path / "note.md")).exit_code == 2
    assert run("note", "add", "--file", str(tmp_path / "note.md")).exit_code == 2


def test_the_list_follows_its_pages_up_to_the_limit(run: Run, script: Script) -> None:
    first = Answer({"notes": [note("n1"), note("n2")], "next_cursor": "c"})
    script.on("GET", NOTES, first, Answer({"notes": [note("n3")], "next_cursor": None}))
    result = run("note", "list", "--limit", "3", "--tag", "a", "--json")
    assert [item["id"] for item in json.loads(result.stdout)["notes"]] == ["n1", "n2", "n3"]
    assert [seen.path for seen in script.seen] == [f"{NOTES}?tag=a&limit=3", f"{NOTES}?tag=a&limit=1&cursor=c"]


def test_a_hostile_note_does_not_drive_the_terminal(run: Run, script: Script) -> None:
    hostile = note(title="\x1b[2Jboo", body="\x1b]0;owned\x07", tags=["\x1b[31m"])
    script.on("GET", NOTES, Answer({"notes": [hostile], "next_cursor": None}))
    script.on("GET", f"{NOTES}/n1", Answer({"note": hostile}))
    for arguments in (["note", "list"], ["note", "show", "n1"], ["note", "show", "n1", "--json"]):
        result = run(*arguments)
        assert result.exit_code == 0 and "\x1b" not in result.stdout and "boo" in result.stdout


def test_a_report_is_shown_with_its_sources(run: Run, script: Script) -> None:
    cited = [
        {"n": 1, "title": "One", "note_id": "n9", "url": None, "resolved": True},
        {"n": 10, "title": "Ten", "note_id": None, "url": "https://example.org/x", "resolved": False},
    ]
    script.on("GET", f"{NOTES}/n1", Answer({"note": note(body="Text [1][10].", citations=cited, partial=True)}))
    out = run("note", "show", "n1").stdout
    assert "Text [1][10]." in out and "[1] One  note n9" in out and "partial" in out
    assert "[10] Ten  https://example.org/x  (redirect, not resolved)" in out


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [(["Research", "a"], {"add_tags": ["Research", "a"]}), (["--remove", "A"], {"remove_tags": ["A"]})],
)
def test_tags_are_added_and_taken_off(
    run: Run, script: Script, arguments: list[str], sent: dict[str, list[str]]
) -> None:
    script.on("PATCH", f"{NOTES}/n1", Answer({"note": note(tags=["a", "b"])}))
    script.on("GET", f"{NOTES}/n1", Answer({"note": note(tags=["a"])}))
    assert run("note", "tag", "n1", *arguments).stdout.strip() == "#a #b"
    assert [seen.body for seen in script.seen if seen.method == "PATCH"] == [sent]


def test_a_tag_that_starts_nothing_says_so_and_again_starts_anew(run: Run, script: Script) -> None:
    script.on("GET", f"{NOTES}/n1", Answer({"note": note(tags=["research"])}))
    script.on("PATCH", f"{NOTES}/n1", Answer({"note": note(tags=["research"])}))
    once = run("note", "tag", "n1", "#Research")
    assert once.exit_code == 0 and "--again" in once.stderr
    script.seen.clear()
    again = run("note", "tag", "n1", "research", "--again")
    assert again.stderr == ""
    assert [seen.body for seen in script.seen] == [{"remove_tags": ["research"]}, {"add_tags": ["research"]}]
    assert run("note", "tag", "n1", "research", "--again", "--remove").exit_code == 2


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_note_is_wrong_usage(run: Run, script: Script, text: str) -> None:
    assert run("note", "add", input=text).exit_code == 2
    assert script.seen == []


def test_a_note_is_added_and_its_research_followed(run: Run, script: Script) -> None:
    script.on("POST", NOTES, Answer({"note": note(tags=["research"])}, 201))
    other, own = operation(id="op_0", source_note_id="n0"), operation()
    script.on("GET", OPERATIONS, Answer({"operations": [other]}), Answer({"operations": [own, other]}))
    script.on("GET", f"{OPERATIONS}/op_1/events", Answer(frames(event(1, "failed", message="no luck"))))
    ended = operation("failed", error={"code": "x", "message": "no luck"})
    script.on("GET", f"{OPERATIONS}/op_1", Answer({"operation": ended}))
    result = run("note", "add", "--tag", "#research", "--watch", "why?")
    assert result.exit_code == 1 and result.stdout.startswith("n1\n")
    assert result.output.count("no luck") == 1
    assert run("note", "add", "--watch", "why?").exit_code == 2


def test_watch_waits_for_a_run_of_the_note_it_is_given(run: Run, script: Script) -> None:
    ended, begun = operation("completed", id="op_0"), operation()
    script.on("GET", OPERATIONS, Answer({"operations": [ended]}), Answer({"operations": [begun, ended]}))
    script.on("GET", f"{OPERATIONS}/op_1/events", Answer(frames(event(1, "completed"))))
    script.on("GET", f"{OPERATIONS}/op_1", Answer({"operation": operation("completed", result_note_id="n7")}))
    result = run("ops", "watch", "--note", "n1")
    assert result.exit_code == 0 and "memex note show n7" in result.stdout
    assert run("ops", "watch", "op_1", "--note", "n1").exit_code == 2


def test_the_sample_notes_go_in_each_under_its_key(run: Run, script: Script) -> None:
    script.on("POST", NOTES, Answer({"note": note(tags=["question"])}, 201))
    result = run("note", "samples")
    keys = {seen.headers["Idempotency-Key"] for seen in script.seen}
    assert result.exit_code == 0 and len(keys) == 20 and "memex note tag n1 research" in result.stdout


def test_a_refusal_that_begins_with_its_field_names_it_once(run: Run, script: Script) -> None:
    refusal = {"code": "invalid_input", "message": "status: must be one", "details": {"field": "status"}}
    script.on("GET", OPERATIONS, Answer({"error": refusal}, 400))
    assert run("ops", "list", "--status", "x").stderr == "memex: status: must be one\n"


def test_an_id_cannot_leave_its_place_in_the_path(run: Run, script: Script) -> None:
    run("note", "show", "../operations?x")
    assert script.seen[0].path == f"{NOTES}/..%2Foperations%3Fx"


@pytest.mark.parametrize(("status", "code"), [("completed", 0), ("failed", 1), ("cancelled", 3)])
def test_the_exit_code_of_watch_is_how_it_ended(run: Run, script: Script, status: str, code: int) -> None:
    script.on("GET", f"{OPERATIONS}/op_1/events", Answer(frames(event(1), event(2, status))))
    script.on("GET", f"{OPERATIONS}/op_1", Answer({"operation": operation(status)}))
    result = run("ops", "watch", "op_1", "--json")
    assert result.exit_code == code
    assert [json.loads(line)["seq"] for line in result.stdout.splitlines()] == [1, 2]
    assert run("ops", "watch", "op_1").exit_code == code


def test_watch_without_an_id_takes_the_newest_and_says_when_there_is_none(
    run: Run, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty, one = ({"operations": found, "next_cursor": None} for found in ([], [operation("completed")]))
    script.on("GET", OPERATIONS, Answer(empty), Answer(one))
    script.on("GET", f"{OPERATIONS}/op_1/events", Answer(frames(event(1, "thought", text="hm"), event(2, "completed"))))
    script.on("GET", f"{OPERATIONS}/op_1", Answer({"operation": operation("completed", result_note_id="n7")}))
    monkeypatch.setattr(watching, "APPEAR_SECONDS", 0.0)
    assert run("ops", "watch").exit_code == 1
    result = run("ops", "watch")
    assert result.exit_code == 0 and "thought: hm" in result.stdout and "memex note show n7" in result.stdout


def test_a_run_that_is_watched_later_shows_when_things_happened(run: Run, script: Script) -> None:
    script.on("GET", f"{OPERATIONS}/op_1/events", Answer(frames(event(2, text="hm"), event(41, "completed"))))
    script.on("GET", f"{OPERATIONS}/op_1", Answer({"operation": operation("completed")}))
    lines = run("ops", "watch", "op_1").stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [["2.0", "s"], ["41.0", "s"]]


def test_waiting_for_what_may_begin_is_said(run: Run, script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [Answer({"operations": [operation(status)], "next_cursor": None}) for status in ("completed", "running")]
    script.on("GET", OPERATIONS, *answers)
    script.on("GET", f"{OPERATIONS}/op_1/events", Answer(frames(event(1, "completed"))))
    script.on("GET", f"{OPERATIONS}/op_1", Answer({"operation": operation("completed")}))
    monkeypatch.setattr(watching, "SILENT_SECONDS", 0.0)
    assert run("ops", "watch").stderr.startswith("Nothing runs. Looking 5 s")


def test_a_cancel_that_changes_nothing_says_so(run: Run, script: Script) -> None:
    answer = {"operation": operation("completed"), "cancelled": False, "message": "It had ended."}
    script.on("POST", f"{OPERATIONS}/op_1/cancel", Answer(answer))
    result = run("ops", "cancel", "op_1")
    assert result.exit_code == 0 and "It had ended." in result.stdout


def test_a_refusal_names_the_field_and_is_json_with_json(run: Run, script: Script) -> None:
    refusal = {"error": {"code": "invalid_input", "message": "Too long.", "details": {"field": "tags.0"}}}
    script.on("POST", NOTES, Answer(refusal, 400))
    plain, machine = run("note", "add", "x"), run("note", "add", "x", "--json")
    assert (plain.exit_code, machine.exit_code) == (1, 1)
    assert plain.stderr == "memex: Too long. (field: tags.0)\n"
    assert json.loads(machine.stderr) == refusal


def test_the_bill_is_a_table_with_a_sum(run: Run, script: Script) -> None:
    rows = [
        {"service": "firestore", "unit": "document_reads", "amount": 1200, "usd": 0.00036, "priced": True},
        {"service": "firestore", "unit": "odd_units", "amount": 1.5, "usd": 0.0, "priced": False},
    ]
    bill = {
        "rows": rows,
        "services": {"firestore": 0.00036},
        "total_usd": 0.00036,
        "as_of": "2026-11-30",
        "region": "r",
    }
    script.on("GET", "/_cloud/bill", Answer(bill))
    out = run("bill").stdout
    assert "1,200" in out and "document reads" in out and "no price known" in out and "0.000360 USD in all" in out
    assert json.loads(run("bill", "--json").stdout) == bill


def test_without_a_running_memex_a_sentence_says_what_to_do(tmp_path: Path) -> None:
    result = CliRunner().invoke(memex, ["note", "list", "--data", str(tmp_path)])
    assert result.exit_code == 1 and "memex up" in result.stderr and "Traceback" not in result.stderr


def test_ephemeral_and_data_exclude_each_other(tmp_path: Path) -> None:
    result = CliRunner().invoke(memex, ["up", "--ephemeral", "--data", str(tmp_path)])
    assert result.exit_code == 2 and list(tmp_path.iterdir()) == []
