"""A secret in every secret setting and in every credential; then everything that is told or kept is searched for it."""

from __future__ import annotations

import base64
import logging
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from click.testing import CliRunner

from infra.cli.main import memex
from shared.bootstrap import App
from shared.config import Settings
from shared.contracts.grants import digest_of
from shared.errors import SettingsError
from shared.telemetry.logs import JsonFormatter
from tests.e2e.world import World
from tests.security.echo import Echo, echoing
from tests.support.http import api_client
from tests.support.seams import FakeClock

TOKEN, WRONG = "planted-token-that-is-good-0123456789", "planted-token-that-nobody-gave-98765"
KEYS = {
    "GEMINI_API_KEY": "planted-gemini-key-0123456789",
    "MODEL_API_KEY": "planted-model-key+/=0123456789",
    "BRAVE_API_KEY": "planted-brave-key-0123456789",
}
STORE = {"access_key_id": "planted-access-key-0123", "secret_access_key": "planted-secret-access-key-0123456789"}
HOOK = b"planted-webhook-secret-0123456789"
COLLECTOR = "planted-collector-key-0123456789"
PLANTED = {
    **KEYS,
    "API_TOKENS": f"{digest_of(TOKEN)}=demo",
    "OBJECTS_OPTIONS": ";".join(f"{name}={value}" for name, value in STORE.items()),
    "OTEL_EXPORTER_OTLP_HEADERS": f"authorization={COLLECTOR}",
    "WEBHOOK_SECRETS": f"whsec_{base64.b64encode(HOOK).decode()}",
}
SECRETS = (TOKEN, WRONG, *KEYS.values(), *STORE.values(), COLLECTOR, base64.b64encode(HOOK).decode(), digest_of(TOKEN))


def found_in(text: str) -> list[str]:
    """Which of the secrets stand in a text, as they are, in an address, or in base64."""
    spellings = {
        secret: (secret, quote(secret, safe=""), base64.b64encode(secret.encode()).decode().rstrip("="))
        for secret in SECRETS
    }
    return [secret for secret, forms in spellings.items() if any(form in text for form in forms)]


def test_every_secret_setting_has_a_secret_planted() -> None:
    assert {item.metadata["env"] for item in fields(Settings) if item.metadata["secret"]} == set(PLANTED)


@pytest.fixture
def echo() -> Iterator[Echo]:
    with echoing() as upstream:
        yield upstream


@pytest.fixture
def world(tmp_path: Path, echo: Echo) -> Iterator[World]:
    options = f"{PLANTED['OBJECTS_OPTIONS']};endpoint={echo.url};region=us-east-1;allow_http=true"
    env = {
        **PLANTED,
        "OBJECTS_URL": "s3://bucket/files",
        "OBJECTS_OPTIONS": options,
        "RESEARCH_BASE_URL": echo.url,
        "MODEL_BASE_URL": echo.url,
        "SEARCH_PROVIDER": "brave",
    }
    world = World(tmp_path / "cloud", **env)
    yield world
    world.close()


def tell(world: World, answers: list[httpx.Response], method: str, path: str, **sent: Any) -> httpx.Response:
    answer = world.act(lambda: world.http.request(method, path, **sent))
    answers.append(answer)
    return answer


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.slow
@pytest.mark.parametrize("status", [400, 401, 500])
def test_whatever_fails_no_secret_is_told_or_kept(
    world: World, echo: Echo, status: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo.status = status
    answers: list[httpx.Response] = []
    good = bearer(TOKEN)
    session = tell(world, answers, "POST", "/api/v1/chat/sessions", json={}, headers=good).json()["session"]["id"]
    for accept in ("application/json", "text/event-stream"):
        said = {"json": {"text": "What do I know?"}, "headers": {**good, "Accept": accept}}
        tell(world, answers, "POST", f"/api/v1/chat/sessions/{session}/messages", **said)
        world.settle()
    tell(world, answers, "POST", "/api/v1/notes", json={"body": "Q?", "tags": ["research"]}, headers=good)
    tell(world, answers, "POST", "/api/v1/agent_runs", json={"goal": "Find out."}, headers=good)
    tell(world, answers, "POST", "/api/v1/documents", files={"file": ("a.txt", b"text")}, headers=good)
    for headers in (bearer(WRONG), {"Authorization": f"Basic {WRONG}"}, bearer(f"{WRONG}.a.b")):
        tell(world, answers, "GET", "/api/v1/notes", headers=headers)
        tell(world, answers, "POST", "/mcp", headers=headers, json={})
    tell(world, answers, "GET", "/api/v1/notes", params={"token": TOKEN}, headers=good)
    tell(world, answers, "GET", "/api/v1/search", params={"q": "rye"}, headers=good)
    world.pass_time(3600 if status < 500 else 60)
    for path in ("notes", "operations", "agent_runs", "brain/jobs", "brain/agents", "usage", "documents", "me", "feed"):
        tell(world, answers, "GET", f"/api/v1/{path}", headers=good)
    for operation in world.stored_operations():
        tell(world, answers, "GET", f"/api/v1/operations/{operation['id']}/events", headers=good)
    tell(world, answers, "GET", f"/api/v1/chat/sessions/{session}", headers=good)
    told = "".join(echo.seen)
    assert KEYS["MODEL_API_KEY"] in told and KEYS["GEMINI_API_KEY"] in told, "there was something to leak"
    assert not found_in("".join(f"{one.headers} {one.text}" for one in answers))
    assert not dict(leaking_files(tmp_path / "cloud"))
    assert not [line for line in lines(caplog.records, world.address.http) if found_in(line)]


def leaking_files(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Every file of the local cloud in which a secret stands: documents, events, messages, executions."""
    for path in folder.rglob("*"):
        if path.is_file() and (found := found_in(path.read_bytes().decode("latin-1"))):
            yield path.name, found


def lines(records: Sequence[logging.LogRecord], ours: str) -> Iterator[str]:
    """The log as it is written; without what the test's own client and the emulated front end say of its requests."""
    for record in records:
        if record.name.startswith("infra.local.front") or (record.name == "httpx" and ours in record.getMessage()):
            continue
        yield JsonFormatter("p").format(record)


@pytest.mark.parametrize("level", [logging.DEBUG, logging.INFO])
def test_a_bug_that_quotes_a_key_is_answered_without_it(caplog: pytest.LogCaptureFixture, level: int) -> None:
    class Quoting(App):
        def store(self, workspace: str) -> Any:
            raise RuntimeError(f"no answer of https://service.example/v1?key={KEYS['GEMINI_API_KEY']} by {TOKEN}")

    caplog.set_level(level)
    client = api_client(Quoting(Settings.from_env({"GOOGLE_CLOUD_PROJECT": "p", **PLANTED}), clock=FakeClock()))
    for method, path in (("GET", "/api/v1/notes"), ("POST", "/api/v1/notes"), ("GET", f"/api/v1/feed/{WRONG}")):
        answer = client.open(path, method=method, headers=bearer(TOKEN), json={})
        assert answer.status_code in (404, 500) and not found_in(f"{answer.headers} {answer.text}")
    assert KEYS["GEMINI_API_KEY"] in caplog.text, "there was something to leak"
    told = [line for line in lines(caplog.records, "none") if found_in(line) and TOKEN not in line]
    assert not told


def test_a_setting_that_is_wrong_is_named_and_its_value_is_not() -> None:
    for name in PLANTED:
        for value in (f"{PLANTED[name]};;=", f"{WRONG}=x;{WRONG}", f"whsec_{WRONG}", WRONG):
            try:
                settings = Settings.from_env({"GOOGLE_CLOUD_PROJECT": "p", **PLANTED, name: value})
            except SettingsError as refused:
                assert name in refused.message and not found_in(refused.message)
            else:
                assert not found_in(repr(settings))


@pytest.mark.parametrize("arguments", [["note", "list"], ["whoami"], ["note", "add", "text"], ["chat", "Hello?"]])
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_the_command_line_says_no_token(arguments: list[str], as_json: list[str], echo: Echo) -> None:
    for status in (401, 403, 500):
        echo.status = status
        for token in (TOKEN, WRONG, f"{WRONG}é"):
            for url in (echo.url, "http://127.0.0.1:9", "ftp://x"):
                result = CliRunner().invoke(memex, [*arguments, *as_json, "--url", url, "--token", token])
                assert result.exit_code == 1 and result.stderr
                assert not found_in(result.output), result.output
    assert any(TOKEN in one for one in echo.seen), "there was something to leak"
