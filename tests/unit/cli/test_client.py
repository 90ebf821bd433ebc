"""The client: what it sends again, and how it says what went wrong."""

from __future__ import annotations

import pytest

from infra.cli.address import Address
from infra.cli.client import ApiClient
from infra.cli.errors import CliError
from tests.unit.cli.server import Answer, Script, event, frames, note, serving
from tests.unit.cli.test_follow import client_of

BUSY = Answer({"error": {"code": "unavailable", "message": "later", "details": {}}}, 503, {"Retry-After": "2"})


def test_a_busy_server_is_asked_again(script: Script) -> None:
    script.on("GET", "/x", BUSY, BUSY, Answer({"ok": 1}))
    with client_of(script.url) as client:
        assert client.get("/x") == {"ok": 1}


def test_a_server_that_stays_busy_is_quoted(script: Script) -> None:
    script.on("GET", "/x", BUSY)
    with client_of(script.url) as client, pytest.raises(CliError, match="later"):
        client.get("/x")
    assert len(script.seen) == 3


def test_a_post_is_repeated_only_with_a_key(script: Script) -> None:
    script.on("POST", "/x", BUSY, Answer({"note": note()}, 201))
    with client_of(script.url) as client:
        with pytest.raises(CliError):
            client.post("/x", {})
        client.post("/x", {}, key="k")
    script.on("POST", "/y", BUSY, Answer({"note": note()}, 201))
    with client_of(script.url) as client:
        client.post("/y", {}, key="k")
    assert [seen.headers.get("Idempotency-Key") for seen in script.seen] == [None, "k", "k", "k"]


@pytest.mark.parametrize(
    "token", ["bad\ntoken", "bad token", "bad\x00token", "bad\x1btoken", "bädtoken", "bad\udcfftoken"]
)
def test_a_token_that_no_header_may_carry_is_refused_and_not_shown(token: str) -> None:
    with pytest.raises(CliError, match="no header may carry") as refused:
        ApiClient(Address("http://127.0.0.1:1", "", token))
    assert "bad" not in refused.value.message.replace("\n", "")


@pytest.mark.parametrize("url", ["http://[bad", "http://a\nb", "http://a:port", "http://\udcff"])
def test_an_address_that_is_none_is_refused_in_a_sentence(url: str) -> None:
    with pytest.raises(CliError), ApiClient(Address(url, "", "secret")) as client:
        client.get("/x")


def test_parameters_that_are_not_given_are_not_sent(script: Script) -> None:
    script.on("GET", "/x", Answer({}))
    with client_of(script.url) as client:
        client.get("/x", tag="a b&c", q=None)
    assert script.seen[0].path == "/x?tag=a+b%26c"
    assert script.seen[0].headers["Authorization"] == "Bearer secret"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            Answer({"error": {"code": "x", "message": "in its words", "details": {"field": "tags"}}}, 400),
            "in its words",
        ),
        (Answer(b"<h1>Bad gateway</h1>", 502), "502"),
        (Answer(b"not json"), "is this a Memex"),
        (Answer([1]), "is this a Memex"),
    ],
)
def test_every_refusal_is_said(script: Script, answer: Answer, said: str) -> None:
    script.on("GET", "/x", answer)
    with client_of(script.url) as client, pytest.raises(CliError, match=said):
        client.get("/x")


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "ftp://127.0.0.1", "http://127.0.0.1:x"])
def test_no_address_is_followed_by_silence(url: str) -> None:
    with pytest.raises(CliError), client_of(url) as client:
        client.get("/x")


def elsewhere(url: str) -> Answer:
    return Answer({"error": {"code": "misdirected", "message": f"at {url}", "details": {"url": url}}}, 421)


def test_what_another_function_answers_is_asked_there_from_then_on(script: Script) -> None:
    with serving() as chat, client_of(script.url) as client:
        script.on("GET", "/api/v1/chat/sessions", elsewhere(chat.url))
        script.on("GET", "/api/v1/notes", Answer({"notes": []}))
        chat.on("GET", "/api/v1/chat/sessions", Answer({"sessions": [1]}))
        chat.on("POST", "/api/v1/chat/sessions/s/messages", Answer(frames(event(1))))
        assert client.get("/api/v1/chat/sessions") == {"sessions": [1]} and client.get("/api/v1/notes")
        with client.stream_of("/api/v1/chat/sessions/s/messages", {}, key="k", silence_seconds=5) as body:
            assert b"".join(body) == frames(event(1))
        assert [seen.path for seen in script.seen] == ["/api/v1/chat/sessions", "/api/v1/notes"]
        assert all(seen.headers["Authorization"].startswith("Bearer ") for seen in chat.seen)


def test_a_stream_that_another_function_has_is_opened_there(script: Script) -> None:
    with serving() as chat, client_of(script.url) as client:
        script.on("GET", "/api/v1/chat/sessions/s", elsewhere(chat.url))
        chat.on("GET", "/api/v1/chat/sessions/s", Answer(frames(event(2))))
        with client.stream("/api/v1/chat/sessions/s", after=1, silence_seconds=5, limit_seconds=None) as body:
            assert b"".join(body) == frames(event(2))
        assert chat.seen[0].headers["Last-Event-ID"] == "1"


def test_being_sent_from_one_to_the_next_ends(script: Script) -> None:
    script.on("GET", "/api/v1/chat/sessions", elsewhere(script.url))
    with client_of(script.url) as client, pytest.raises(CliError, match="at http://127"):
        client.get("/api/v1/chat/sessions")
    assert len(script.seen) == 2


@pytest.mark.parametrize("url", ["http://example.org", "ftp://x", ""])
def test_the_token_goes_to_no_open_address(script: Script, url: str) -> None:
    script.on("GET", "/api/v1/chat/sessions", elsewhere(url))
    with client_of(script.url) as client, pytest.raises(CliError):
        client.get("/api/v1/chat/sessions")
    assert len(script.seen) == 1
