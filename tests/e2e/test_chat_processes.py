"""Chat turns whose process is killed with SIGKILL at bad moments: the turn still ends, each effect is there once."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.processes import PATIENCE_SECONDS, Api, killed_at

SESSIONS = "/api/v1/chat/sessions"
ASK = "Add a task to buy rye flour"

POINTS = [
    "after_commit:chat.result",
    "before_commit:chat.begin",
    "after_commit:chat.begin",
    "before_call:model.stream",
    "after_call:model.stream",
    "before_commit:chat.answer",
    "after_commit:chat.answer",
    "before_call:tool",
    "after_call:tool",
    "before_commit:chat.result",
    "after_call:executions.create",
    "before_commit:turn.launched",
    "before_commit:checkpoint.save",
    "after_commit:checkpoint.save",
]


class Client:
    """A person's page: it sends a message, and comes back with what it has until it has seen the end."""

    def __init__(self, api: Api, session: str) -> None:
        self._http, self._path = api.http, f"{SESSIONS}/{session}"
        self.trace: list[dict[str, Any]] = []
        self.done: dict[str, Any] | None = None

    def ask(self, text: str, key: str) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.done is None:
            assert time.monotonic() < deadline, f"no end after {[event['type'] for event in self.trace]}"
            try:
                self._read(text, key)
            except httpx.HTTPError:
                time.sleep(0.1)

    def _read(self, text: str, key: str) -> None:
        headers = {"Accept": "text/event-stream"}
        if not self.trace:
            body = {"text": text}
            arguments: dict[str, Any] = {"json": body, "headers": {**headers, "Idempotency-Key": key}}
            method, path = "POST", f"{self._path}/messages"
        else:
            cursor = str(self.trace[-1]["seq"])
            arguments = {"headers": {**headers, "Last-Event-ID": cursor}}
            method, path = "GET", f"{self._path}/events"
        with self._http.stream(method, path, **arguments) as answer:
            answer.raise_for_status()
            for event, data in _frames(answer.iter_lines()):
                if event == "trace":
                    self.trace.append(data)
                elif event == "done":
                    self.done = data
                    return


def _frames(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    event = ""
    for line in lines:
        name, _, value = line.partition(": ")
        if name == "event":
            event = value
        elif name == "data":
            yield event, json.loads(value)


@pytest.mark.slow
@pytest.mark.parametrize("point", POINTS)
def test_a_turn_killed_at_a_point_ends_with_each_effect_once(tmp_path: Path, point: str) -> None:
    with killed_at(point, tmp_path, CHAT_LEASE_SECONDS="2") as victim:
        api = victim.api
        session = api.http.post(SESSIONS, json={}).raise_for_status().json()["session"]["id"]
        client = Client(api, session)
        client.ask(ASK, "the-key")
        victim.wait_for_the_kill()
        assert client.done is not None and client.done["status"] == "completed", client.done
        seqs = [event["seq"] for event in client.trace]
        assert seqs == list(range(1, len(seqs) + 1)), "each event once and in order"
        kinds = [event["type"] for event in client.trace]
        assert kinds.count("user_message") == kinds.count("turn_ended") == 1
        assert kinds.count("tool_call") == kinds.count("tool_result") == 1
        tasks = api.get("/api/v1/tasks")["tasks"]
        assert len(tasks) == 1, tasks
        assert victim.restarts >= 1
