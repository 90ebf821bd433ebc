"""Each session store in the product: a conversation that goes on after a restart, is shown, forgotten, and moved."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner, Result

from infra.cli.address import Address, leave
from infra.cli.main import memex
from infra.local.aiplatform.model_script import ModelScript, say
from infra.local.cloud import CloudConfig, LocalCloud
from shared import bootstrap
from tests.e2e.world import ROOT

SESSIONS, CHECKPOINTS = "/api/v1/chat/sessions", "/api/v1/chat/checkpoints"
STRANGER = "a-token-of-another-workspace"
ENGINE = "projects/memex-local/locations/us-central1/reasoningEngines/1"
KINDS = ("memory", "sqlite", "firestore", "agent-engine")


class Place:
    """A local cloud whose chat is scripted, a client of it, and the command line beside it."""

    def __init__(self, cloud: LocalCloud, http: httpx.Client, data: Path) -> None:
        self.cloud, self.http, self._data = cloud, http, data

    def say(self, session: str, text: str, answer: str = "Yes.") -> dict[str, Any]:
        self.cloud.services.aiplatform.script_model(ModelScript(items=(say(answer),)))
        headers = {"Accept": "application/json"}
        path = f"{SESSIONS}/{session}/messages"
        return dict(self.http.post(path, json={"text": text}, headers=headers).raise_for_status().json())

    def session(self) -> str:
        return str(self.http.post(SESSIONS, json={}).raise_for_status().json()["session"]["id"])

    def types(self, session: str) -> list[str]:
        found = self.http.get(f"{SESSIONS}/{session}", params={"limit": 200}).raise_for_status().json()
        return [event["type"] for event in found["session"]["trace"]]

    def version(self, session: str) -> int:
        answer = self.http.get(f"{CHECKPOINTS}/{session}")
        return 0 if answer.status_code == 404 else int(answer.raise_for_status().json()["checkpoint"]["version"])

    def command(self, *arguments: str) -> Result:
        return CliRunner().invoke(memex, ["sessions", *arguments, "--data", str(self._data)], catch_exceptions=False)


@contextmanager
def running(data: Path, kind: str) -> Iterator[Place]:
    stranger = hashlib.sha256(STRANGER.encode()).hexdigest()
    env = {"SESSIONS": kind, "API_TOKENS": f"{stranger}=other"}
    cloud = LocalCloud(CloudConfig(root=ROOT, data_dir=data, functions="inline", env=env))
    bootstrap.use(None)  # the process is a new one, as far as the functions can tell
    address = cloud.start()
    leave(data, Address(address.http, address.grpc, address.token))
    headers = {"Authorization": f"Bearer {address.token}"}
    try:
        with httpx.Client(base_url=address.http, headers=headers, trust_env=False, timeout=30) as http:
            yield Place(cloud, http, data)
    finally:
        cloud.close()
        bootstrap.use(None)


@pytest.fixture
def unmarked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the command reads of the environment is not set, and what it sets is forgotten."""
    for name in ("GOOGLE_CLOUD_PROJECT", "MEMEX_URL", "MEMEX_TOKEN", "SESSIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", "")


@pytest.mark.slow
@pytest.mark.usefixtures("unmarked")
@pytest.mark.parametrize("kind", KINDS)
def test_a_conversation_goes_on_after_a_restart(tmp_path: Path, kind: str) -> None:
    with running(tmp_path, kind) as place:
        session = place.session()
        place.say(session, "First?")
        place.say(session, "Second?")
        assert place.version(session) == 2
        found = place.http.get(CHECKPOINTS).raise_for_status().json()
        assert found["store"]["kind"] == kind and [one["session_id"] for one in found["checkpoints"]] == [session]
        assert kind in place.command("list").stdout and session in place.command("list").stdout
        guess = {"Authorization": f"Bearer {STRANGER}"}
        for method in ("GET", "DELETE"):
            assert place.http.request(method, f"{CHECKPOINTS}/{session}", headers=guess).status_code == 404
        assert place.http.get(CHECKPOINTS, headers=guess).json()["checkpoints"] == []
    with running(tmp_path, kind) as place:
        assert place.say(session, "Third?")["status"] == "completed"
        kept = kind != "memory"
        assert place.version(session) == (3 if kept else 1)
        assert place.types(session).count("checkpoint_rebuilt") == (0 if kept else 1)
        shown = json.loads(place.command("show", session, "--json").stdout)
        assert shown["checkpoint"]["owner"] == "demo"
        assert place.command("forget", session).exit_code == 0 == place.command("forget", session).exit_code
        assert place.version(session) == 0
        place.http.delete(f"{SESSIONS}/{session}").raise_for_status()


@pytest.mark.slow
@pytest.mark.usefixtures("unmarked")
def test_conversations_move_from_store_to_store_and_are_not_rebuilt(tmp_path: Path) -> None:
    with running(tmp_path, "sqlite") as place:
        sessions = [place.session() for _ in range(3)]
        for session in sessions:
            place.say(session, "First?")
        copied = place.command("copy", "--from", "sqlite", "--to", "agent-engine")
        assert copied.exit_code == 0 and "3 copied" in copied.stdout
        place.say(sessions[0], "Second?")
        again = place.command("copy", "--from", "sqlite", "--to", "agent-engine", "--json")
        lines = [json.loads(line) for line in again.stdout.splitlines()]
        assert lines[-1] == {"done": True, "counts": {"copied": 1, "there": 2}, "cursor": ""}
        on = place.command("copy", "--from", "agent-engine", "--to", "firestore")
        assert on.exit_code == 0 and "3 copied" in on.stdout
    for kind in ("agent-engine", "firestore"):
        with running(tmp_path, kind) as place:
            for session in sessions:
                assert place.say(session, f"On {kind}?")["status"] == "completed"
                assert "checkpoint_rebuilt" not in place.types(session)
            assert place.version(sessions[0]) == 3


@pytest.mark.slow
@pytest.mark.usefixtures("unmarked")
def test_a_save_whose_answer_is_lost_is_made_once(tmp_path: Path) -> None:
    with running(tmp_path, "agent-engine") as place:
        session = place.session()
        for pattern in ("POST /v1/*/sessions", "POST /v1/*:appendEvent"):
            place.cloud.seams.faults.lost_answer(pattern)
            assert place.say(session, "And now?")["status"] == "completed"
        assert place.version(session) == 2 and not place.cloud.seams.faults.active()["lost_answers"]
        (resource,) = place.cloud.services.reasoning_engines._store.of_engine(ENGINE)
        assert len(place.cloud.services.reasoning_engines._store.events(resource)) == 1
        assert not {"checkpoint_behind", "checkpoint_rebuilt"} & set(place.types(session))


@pytest.mark.slow
@pytest.mark.usefixtures("unmarked")
def test_a_copying_without_a_place_says_what_to_name(tmp_path: Path) -> None:
    def run(*given: str) -> Result:
        return CliRunner().invoke(memex, ["sessions", "copy", *given])

    nowhere = run("--from", "sqlite", "--to", "firestore", "--data", str(tmp_path))
    assert nowhere.exit_code == 1 and "No Memex is running here" in nowhere.stderr
    assert run("--from", "sqlite", "--to", "sqlite").exit_code == 2
    assert run("--from", "memory", "--to", "sqlite").exit_code == 2
    wrong = run("--from", "sqlite", "--to", "firestore", "--set", "NONSENSE=1", "--data", str(tmp_path))
    assert wrong.exit_code == 2 and "NONSENSE" in wrong.stderr
