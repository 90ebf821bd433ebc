"""The store that the settings name, and what settings are refused."""

from __future__ import annotations

import logging
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from shared.config import Settings
from shared.contracts.sessions import SessionStoreKind
from shared.errors import SettingsError
from shared.sessions.agent_engine import shelf
from shared.sessions.assembly import Parts, SessionStores
from shared.sessions.errors import StoreClosed
from tests.support.seams import FakeClock

PARENT = "projects/p/locations/europe-west1/reasoningEngines/42"


def settings(**env: str) -> Settings:
    return Settings.from_env({"GOOGLE_CLOUD_PROJECT": "p", **env})


def stores(**env: str) -> SessionStores:
    def no_store(_workspace: str) -> Any:
        raise AssertionError("Firestore is not asked for")

    return SessionStores(settings(**env), Parts(no_store, FakeClock(), random.Random(1)))


def test_firestore_is_the_default() -> None:
    assert settings().sessions == "firestore"


@pytest.mark.parametrize(
    ("env", "named"),
    [
        ({"SESSIONS": "redis"}, "SESSIONS"),
        ({"SESSIONS": "agent-engine"}, "SESSIONS_ENGINE is not set"),
        ({"SESSIONS": "agent-engine", "SESSIONS_ENGINE": "1", "SESSIONS_AUTHOR": ""}, "SESSIONS_AUTHOR"),
        ({"SESSIONS_ENGINE": "no such/engine"}, "SESSIONS_ENGINE"),
        ({"SESSIONS_TTL": "86399s"}, "SESSIONS_TTL"),
        ({"SESSIONS_TTL": "7d"}, "SESSIONS_TTL"),
        ({"SESSIONS_API": "v2"}, "SESSIONS_API"),
        ({"SESSIONS_OPERATION_SECONDS": "0"}, "SESSIONS_OPERATION_SECONDS"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_by_name(env: dict[str, str], named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        settings(**env)


@pytest.mark.parametrize(
    "named",
    [
        {"SESSIONS_ENGINE": "42", "MEMEX_LOCATION": "europe-west1"},
        {"SESSIONS_ENGINE": "42", "SESSIONS_LOCATION": "europe-west1", "SESSIONS_PROJECT": "p"},
        {"SESSIONS_ENGINE": PARENT, "SESSIONS_LOCATION": "elsewhere", "SESSIONS_PROJECT": "another"},
    ],
)
def test_an_engine_is_named_by_its_id_or_its_whole_name(named: dict[str, str]) -> None:
    made = stores(SESSIONS="agent-engine", SESSIONS_TTL="86400s", **named)
    store = made.open(SessionStoreKind.AGENT_ENGINE, "demo")
    assert store.where == PARENT and store.retention().seconds == 86_400
    made.close()


def test_a_real_token_never_goes_over_an_open_line() -> None:
    made = stores(SESSIONS="agent-engine", SESSIONS_ENGINE="1", SESSIONS_BASE_URL="http://127.0.0.1:9")
    store: Any = made.open(SessionStoreKind.AGENT_ENGINE, "demo")
    found: shelf.AgentEngineShelf = store._shelf
    assert found._service._token() == "local"
    made.close()


def test_a_process_has_one_store_of_a_kind_however_many_ask_at_once(tmp_path: Path) -> None:
    made = stores(SESSIONS="memory", SESSIONS_PATH=str(tmp_path / "s.sqlite"))
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _n: id(made.of("demo").store), range(64)))
    assert len(found) == 1 and made.of("other").store is made.of("demo").store
    made.close()
    with pytest.raises(StoreClosed):
        made.of("demo").hydrate("s1")


def test_a_store_for_one_process_or_one_machine_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for kind, words in (("memory", "lost when the process ends"), ("sqlite", "one machine")):
        with caplog.at_level(logging.WARNING):
            made = stores(SESSIONS=kind, SESSIONS_PATH=str(tmp_path / "s.sqlite"))
            assert words in made.of("demo").store.about and words in caplog.text
            made.close()
