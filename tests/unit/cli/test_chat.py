"""`memex chat` against a scripted API: what it sends, prints and exits with."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from infra.cli.client import ApiClient
from infra.cli.talking import Talk, cancelled_by
from infra.cli.telling import Teller
from tests.unit.cli.conftest import Run
from tests.unit.cli.server import Answer, Script

SESSIONS = "/api/v1/chat/sessions"
SESSION = {"id": "s1", "title": "Bread", "created_at": "2026-11-30T12:00:00Z", "updated_at": "2026-11-30T12:00:00Z"}
SUMMARY = {**SESSION, "turns": 1, "running_turn_id": None, "usage": {}}


def frame(event: str, data: dict[str, Any]) -> str:
    number = f"id: {data['seq']}\n" if event == "trace" else ""
    return f"{number}event: {event}\ndata: {json.dumps(data)}\n\n"


def trace(seq: int, kind: str, **data: Any) -> str:
    body = {"v": 1, "id": f"s1-{seq}", "seq": seq, "type": kind, "at": "2026-11-30T12:00:00Z"}
    return frame("trace", {**body, "stream": "chat_sessions/s1", "data": {"turn_id": "t1", **data}})


def delta(text: str) -> str:
    return frame("delta", {"turn_id": "t1", "iteration": 1, "text": text})


def done(status: str = "completed", **fields: Any) -> str:
    return frame("done", {"session": SUMMARY, "turn_id": "t1", "status": status, "usage": {}, **fields})


def stream(*frames: str) -> Answer:
    return Answer(b": open\n\n" + "".join(frames).encode())


HELLO = trace(1, "user_message", text="Hello?")
CALLED = trace(2, "tool_call", tool="search_notes", arguments={"query": "rye"})
FOUND = trace(3, "tool_result", tool="search_notes", ok=True, result={"notes": [{"id": "n1"}, {"id": "n2"}]})
SAID = trace(4, "model_text", text="Two notes.")
ENDED = trace(5, "turn_ended", status="completed")


def test_what_was_found_is_told_before_the_rest_and_no_notice_to_the_model(run: Run, script: Script) -> None:
    found = {"kind": "html", "links": [{}, {}], "notice": "This is data.", "title": "Prices"}
    result = trace(2, "tool_result", tool="fetch_url", ok=True, result=found)
    script.on("POST", SESSIONS, Answer({"session": SUMMARY}, 201))
    script.on("POST", f"{SESSIONS}/s1/messages", stream(HELLO, result, SAID, ENDED, done()))
    assert "✓ fetch_url: title: Prices, links: 2, kind: html\n" in run("chat", "What is there?").stdout


def test_a_question_begins_a_session_and_prints_the_answer_as_it_comes(run: Run, script: Script) -> None:
    script.on("POST", SESSIONS, Answer({"session": SUMMARY}, 201))
    frames = (HELLO, CALLED, FOUND, delta("Two"), delta(" notes."), SAID, ENDED, done())
    script.on("POST", f"{SESSIONS}/s1/messages", stream(*frames))
    result = run("chat", "What about rye?")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == "  ▸ search_notes query: rye\n  ✓ search_notes: notes: 2\nTwo notes.\n"
    assert "--session s1" in result.stderr
    sent = script.seen[1]
    assert sent.body == {"text": "What about rye?"} and len(sent.headers["Idempotency-Key"]) == 26


def test_a_session_is_gone_on_with(run: Run, script: Script) -> None:
    script.on("POST", f"{SESSIONS}/s1/messages", stream(HELLO, delta("x"), SAID, ENDED, done()))
    assert run("chat", "--session", "s1", "More?").exit_code == 0
    assert [seen.path for seen in script.seen] == [f"{SESSIONS}/s1/messages"]


def test_a_broken_connection_is_taken_up_where_it_broke(run: Run, script: Script) -> None:
    script.on("POST", f"{SESSIONS}/s1/messages", stream(HELLO, CALLED, delta("Tw")))
    script.on("GET", f"{SESSIONS}/s1/events", stream(CALLED, FOUND), stream(SAID, ENDED, done()))
    result = run("chat", "--session", "s1", "More?", "--json")
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["data"]["seq"] for line in lines if line["event"] == "trace"] == [1, 2, 3, 4, 5]
    assert [seen.headers.get("Last-Event-ID") for seen in script.seen] == [None, "2", "3"]


def test_the_stream_is_read_to_its_end_since_the_conversation_is_saved_behind_its_answer() -> None:
    read: list[str] = []

    class Client:
        @contextmanager
        def stream_of(self, *_path: Any, **_options: Any) -> Iterator[Iterator[bytes]]:
            def chunks() -> Iterator[bytes]:
                yield stream(HELLO, ENDED, done()).body
                read.append("saved")

            yield chunks()

    talk = Talk(cast(ApiClient, Client()), "s1", "More?", "key")
    assert [event for event, _ in talk.frames()][-1] == "done" and read == ["saved"]


def test_one_that_broke_before_anything_came_is_sent_again_with_its_key(run: Run, script: Script) -> None:
    script.on("POST", f"{SESSIONS}/s1/messages", stream(), stream(HELLO, SAID, ENDED, done()))
    assert run("chat", "--session", "s1", "More?").exit_code == 0
    first, second = script.seen
    assert first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"]


@pytest.mark.parametrize(
    ("status", "fields", "code", "said"),
    [
        ("cancelled", {}, 3, "Cancelled."),
        (
            "failed",
            {"error": {"code": "model_output", "message": "The model answered nothing."}},
            1,
            "answered nothing",
        ),
    ],
)
def test_the_end_is_told_and_is_the_exit_code(
    run: Run, script: Script, status: str, fields: dict[str, Any], code: int, said: str
) -> None:
    script.on("POST", f"{SESSIONS}/s1/messages", stream(HELLO, ENDED, done(status, **fields)))
    result = run("chat", "--session", "s1", "More?")
    assert result.exit_code == code and said in result.stderr


def test_a_checkpoint_that_cannot_be_read_says_the_way_out_and_that_nobody_answered(run: Run, script: Script) -> None:
    error = {"code": "checkpoint_unreadable", "message": "The conversation s is there, and cannot be read."}
    body = stream(HELLO, ENDED, done("failed", error=error, model="m"))
    script.on("POST", f"{SESSIONS}/s1/messages", body)
    ended = run("chat", "--session", "s1", "hello")
    assert ended.exit_code == 1 and "cannot be read" in ended.stderr and "answered" not in ended.stderr
    assert "memex sessions forget s1" in ended.stderr


def test_a_refusal_is_said_in_its_own_words(run: Run, script: Script) -> None:
    error = {"error": {"code": "turn_running", "message": "This session is answering.", "details": {"turn_id": "t1"}}}
    script.on("POST", f"{SESSIONS}/s1/messages", Answer(error, 409))
    result = run("chat", "--session", "s1", "More?")
    assert (result.exit_code, result.stderr.strip()) == (1, "memex: This session is answering.")


def test_what_a_model_writes_does_not_drive_the_terminal(run: Run, script: Script) -> None:
    hostile = (
        trace(2, "tool_call", tool="x\x1b[2J", arguments={"a": "\x1b]0;owned\x07"}),
        delta("\x1b[31mred"),
        trace(3, "model_text", text="\x1b[31mred"),
    )
    script.on("POST", f"{SESSIONS}/s1/messages", stream(HELLO, *hostile, ENDED, done()))
    for arguments in ((), ("--json",)):
        result = run("chat", "--session", "s1", "More?", *arguments)
        assert result.exit_code == 0 and "\x1b" not in result.stdout and "red" in result.stdout


def test_a_draft_completes_what_was_printed(capsys: pytest.CaptureFixture[str]) -> None:
    teller = Teller()
    teller.tell("delta", {"text": "Once "})
    teller.tell("draft", {"text": "Once upon"})
    teller.tell("draft", {"text": "Once upon a"})
    teller.tell("trace", {"type": "model_text", "data": {"text": "Once upon a time."}})
    assert capsys.readouterr().out == "Once upon a time.\n"


def test_sessions_are_listed_shown_and_deleted(run: Run, script: Script) -> None:
    script.on("GET", SESSIONS, Answer({"sessions": [SUMMARY], "next_cursor": None}))
    assert "s1" in run("chat", "list").stdout and "Bread" in run("chat", "list").stdout
    older = {**json.loads(HELLO.split("data: ")[1]), "seq": 1}
    newer = json.loads(SAID.split("data: ")[1])
    pages = (
        Answer({"session": {**SUMMARY, "trace": [newer], "more_before": 4}}),
        Answer({"session": {**SUMMARY, "trace": [older], "more_before": None}}),
    )
    script.on("GET", f"{SESSIONS}/s1", *pages)
    shown = run("chat", "show", "s1").stdout
    assert shown == "Bread\n\n› Hello?\n\nTwo notes.\n"
    script.on("DELETE", f"{SESSIONS}/s1", Answer(b"", 204))
    deleted = run("chat", "delete", "s1")
    assert deleted.exit_code == 0, deleted.stderr


def test_help_says_how_to_ask(run: Run) -> None:
    assert "memex chat" in run("chat", "--help").stdout and "ctrl-C" in run("chat", "ask", "--help").stdout
    assert run("chat", "  ").exit_code == 2


class Silent:
    """A turn that says nothing until it is cancelled."""

    def __init__(self) -> None:
        self.cancelled = threading.Event()

    def cancel(self) -> None:
        self.cancelled.set()


def test_ctrl_c_cancels_the_turn_while_nothing_comes() -> None:
    stop, talk = threading.Event(), Silent()
    with cancelled_by(stop, cast("Talk", talk)):
        assert not talk.cancelled.wait(0.2)
        stop.set()
        assert talk.cancelled.wait(5)


def test_a_turn_that_ended_by_itself_is_not_cancelled() -> None:
    talk = Silent()
    with cancelled_by(threading.Event(), cast("Talk", talk)):
        pass
    assert not talk.cancelled.is_set()
