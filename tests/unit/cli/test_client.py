"""The client: what it sends again, and how it says what went wrong."""

from __future__ import annotations

import pytest

from infra.cli.address import Address
from infra.cli.client import ApiClient
from infra.cli.errors import CliError
from tests.unit.cli.server import Answer, Script, note
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
