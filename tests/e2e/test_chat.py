"""The chat over real processes and real connections: leaving, coming back, cancelling a model that is silent."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from infra.local.aiplatform.model_script import HANG, ModelScript, call, say
from infra.local.cloud import Addresses, CloudConfig, LocalCloud
from tests.e2e.processes import eventually
from tests.e2e.world import ROOT
from tests.support.command import SECONDS, started
from tests.support.machine import stretched

SESSIONS = "/api/v1/chat/sessions"
PAGE = "https://memex.example"


@dataclass(frozen=True)
class Running:
    """A local cloud that runs, and where."""

    cloud: LocalCloud
    address: Addresses

    def script(self, *answers: tuple[Any, ...]) -> None:
        """What the model says to the next requests of the chat."""
        self.cloud.services.aiplatform.script_model(*(ModelScript(items=items) for items in answers))


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    env = {"CORS_ORIGINS": PAGE}
    cloud = LocalCloud(CloudConfig(root=ROOT, env=env))
    yield Running(cloud, cloud.start())
    cloud.close()


@pytest.fixture
def http(running: Running) -> Iterator[httpx.Client]:
    where = running.address
    headers = {"Authorization": f"Bearer {where.token}"}
    with httpx.Client(base_url=where.http, headers=headers, trust_env=False, timeout=SECONDS) as client:
        yield client


@pytest.fixture
def session(http: httpx.Client) -> str:
    return str(http.post(SESSIONS, json={}).raise_for_status().json()["session"]["id"])


def read(http: httpx.Client, method: str, path: str, stop: Callable[[str, Any], bool], **arguments: Any) -> list[Any]:
    """(event, data) of a stream up to the one at which `stop` is true; then the connection is closed."""
    got: list[Any] = []
    event = ""
    with http.stream(method, path, **arguments) as answer:
        answer.raise_for_status()
        for line in answer.iter_lines():
            name, _, value = line.partition(": ")
            if name == "event":
                event = value
            elif name == "data":
                got.append((event, json.loads(value)))
                if stop(event, got[-1][1]):
                    break
    return got


def ended(event: str, _data: Any) -> bool:
    return event == "done"


def written(event: str, _data: Any) -> bool:
    return event == "delta"


def trace(got: list[Any]) -> list[Any]:
    return [data for event, data in got if event == "trace"]


def shown(http: httpx.Client, session: str) -> Any:
    return http.get(f"{SESSIONS}/{session}").raise_for_status().json()["session"]


@pytest.mark.slow
@pytest.mark.parametrize("before", [(say("I was"), HANG), (HANG,)], ids=["writing", "silent"])
def test_a_client_that_leaves_finds_the_turn_ended_when_it_comes_back(
    running: Running, http: httpx.Client, session: str, before: tuple[Any, ...]
) -> None:
    running.script(before, (call("create_tasks", tasks=[{"title": "Buy rye"}]),), (say("Whole."),))
    here = written if len(before) > 1 else (lambda event, _data: event == "trace")
    first = read(http, "POST", f"{SESSIONS}/{session}/messages", here, json={"text": "Go on?"})
    cursor = trace(first)[-1]["seq"]
    path, headers = f"{SESSIONS}/{session}/events", {"Last-Event-ID": str(cursor)}
    rest = read(http, "GET", path, ended, headers=headers)
    assert rest[-1][1]["answer"] == "Whole." and rest[-1][1]["status"] == "completed"
    both = trace(first) + trace(rest)
    assert [event["seq"] for event in both] == list(range(1, len(both) + 1))
    assert [event["type"] for event in both] == [
        "user_message", "turn_taken_over", "tool_call", "tool_result", "model_text", "turn_ended",
    ]  # fmt: skip


def test_a_blocked_read_of_the_model_ends_with_a_cancel(running: Running, http: httpx.Client, session: str) -> None:
    running.script((say("I was"), HANG))
    seconds: list[float] = []

    def cancelling(event: str, _data: Any) -> bool:
        if event == "delta":
            begun = time.monotonic()
            assert http.post(f"{SESSIONS}/{session}/cancel").raise_for_status().json()["cancelled"]
            seconds.append(begun)
        return event == "done"

    got = read(http, "POST", f"{SESSIONS}/{session}/messages", cancelling, json={"text": "Go on?"})
    assert time.monotonic() - seconds[0] < stretched(2.0), "long before the model's time was up"
    assert got[-1][1]["status"] == "cancelled" and got[-1][1]["answer"] == "I was"
    assert trace(got)[-2]["data"]["partial"] is True
    last = shown(http, session)
    assert last["running_turn_id"] is None and last["trace"][-1]["type"] == "turn_ended"


def test_two_messages_at_once(running: Running, http: httpx.Client, session: str) -> None:
    running.script((say("I was"), HANG))

    def second(event: str, data: Any) -> bool:
        if event == "delta":
            refused = http.post(f"{SESSIONS}/{session}/messages", json={"text": "And?"})
            assert refused.status_code == 409
            assert refused.json()["error"]["details"]["turn_id"] == data["turn_id"]
            http.post(f"{SESSIONS}/{session}/cancel").raise_for_status()
        return event == "done"

    read(http, "POST", f"{SESSIONS}/{session}/messages", second, json={"text": "Go on?"})


def test_pages_of_an_allowed_origin_may_call_each_public_function(http: httpx.Client, session: str) -> None:
    asked = {
        "Origin": PAGE,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,last-event-id,idempotency-key,content-type",
    }
    bare = httpx.Client(base_url=http.base_url, trust_env=False)
    for path in ("/api/v1/notes", f"{SESSIONS}/{session}/messages"):
        answer = bare.options(path, headers=asked)
        assert answer.status_code == 204 and answer.headers["Access-Control-Allow-Origin"] == PAGE
        refused = bare.options(path, headers={**asked, "Origin": "https://evil.example"})
        assert "Access-Control-Allow-Origin" not in refused.headers
    bare.close()


@pytest.mark.slow
def test_a_turn_leaves_no_execution_behind(running: Running, http: httpx.Client, session: str) -> None:
    running.script((say("Done."),))
    read(http, "POST", f"{SESSIONS}/{session}/messages", ended, json={"text": "Go on?"})

    def none_active() -> bool:
        found = http.get("/_cloud/executions").raise_for_status().json()["executions"]
        turns = [one for one in found if one["workflow"] == "turn"]
        return bool(turns) and all(one["state"] == "SUCCEEDED" for one in turns)

    eventually(none_active, "the end of the executions")


@pytest.mark.slow
def test_ctrl_c_cancels_the_turn_of_the_command(running: Running, http: httpx.Client, session: str) -> None:
    running.script((say("I was saying"), HANG))
    where = running.address
    process = started("chat", "--session", session, "Go on?", "--url", where.http, "--token", where.token)
    try:
        eventually(lambda: shown(http, session)["running_turn_id"] is not None, "the turn")
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS)
        assert process.returncode == 3 and "Cancelled." in err, (out, err)
        assert shown(http, session)["running_turn_id"] is None
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.mark.slow
def test_memory_of_the_chat_is_in_the_store_alone(running: Running, http: httpx.Client) -> None:
    """Two turns, between which the functions' process dies: the second knows of the first."""
    session = http.post(SESSIONS, json={}).raise_for_status().json()["session"]["id"]
    running.script((say("Your dog is called Rex."),), (say("Rex."),))
    read(http, "POST", f"{SESSIONS}/{session}/messages", ended, json={"text": "My dog is Rex."})
    assert running.cloud.host is not None and running.cloud.host.pid is not None
    os.kill(running.cloud.host.pid, signal.SIGKILL)
    eventually(lambda: http.get(SESSIONS).status_code == 200, "the functions")
    got = read(http, "POST", f"{SESSIONS}/{session}/messages", ended, json={"text": "What is it called?"})
    assert got[-1][1]["answer"] == "Rex." and got[-1][1]["session"]["turns"] == 2
