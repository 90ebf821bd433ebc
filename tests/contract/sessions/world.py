"""The four stores as the suite sees them: opened again and again on the same data, damaged, and looked into."""

from __future__ import annotations

import itertools
import random
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import httpx
from flask import Flask
from google.cloud.firestore_v1 import Client
from werkzeug.serving import WSGIRequestHandler, make_server

from infra.local.clock import RealClock
from infra.local.reasoning_engines.service import ReasoningEnginesPart
from shared.clock import Clock
from shared.contracts.sessions import FORMAT, CheckpointEnvelope
from shared.gateway.transport import build_client
from shared.sessions.agent_engine.ids import resource_id
from shared.sessions.agent_engine.place import FixedToken, Place
from shared.sessions.agent_engine.rest import Service
from shared.sessions.agent_engine.shelf import ENVELOPE, SESSION_ID, AgentEngineShelf
from shared.sessions.firestore import FirestoreShelf
from shared.sessions.memory import MemoryShelf
from shared.sessions.port import Head, Sealed, Shelf
from shared.sessions.sqlite import SqliteShelf
from shared.sessions.store import Store
from shared.store.checkpoints import path_of
from shared.store.workspace import WorkspaceStore
from tests.support.seams import CountingIds, FakeClock
from tests.support.waiting import wait_until

START = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
_numbers = itertools.count(1)


def envelope(version: int = 1, owner: str | None = "demo", **data: Any) -> CheckpointEnvelope:
    """An envelope that was saved `version` seconds after the start."""
    return CheckpointEnvelope(
        owner=owner, version=version, saved_at=START + timedelta(seconds=version), data=data or {"turn": version}
    )


class StoreWorld(ABC):
    """`open` gives another instance on the same data."""

    durable = True
    chunks = True
    """Whether three megabytes fit."""

    def __init__(self) -> None:
        self._opened: list[Store] = []

    @abstractmethod
    def shelf(self) -> Shelf: ...

    @abstractmethod
    def damage(self, session_id: str, text: str) -> None:
        """Put that text where the envelope is."""

    def open(self) -> Store:
        self._opened.append(Store(self.shelf()))
        return self._opened[-1]

    def close(self) -> None:
        for store in self._opened:
            store.close()

    def saves(self, session_id: str) -> int | None:
        """How many saves were applied, where that can be told."""
        return None


class MemoryWorld(StoreWorld):
    durable = False

    def __init__(self) -> None:
        super().__init__()
        self._shelf = MemoryShelf()

    def shelf(self) -> Shelf:
        return self._shelf

    def damage(self, session_id: str, text: str) -> None:
        kept = self._shelf._kept[session_id]
        self._shelf._kept[session_id] = Sealed(session_id, kept.envelope, text, Head(1, "demo", "damaged"))


class SqliteWorld(StoreWorld):
    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.path = folder / "sessions.sqlite"

    def shelf(self) -> Shelf:
        return SqliteShelf(self.path)

    def damage(self, session_id: str, text: str) -> None:
        connection = sqlite3.connect(self.path)
        with connection:
            connection.execute("UPDATE checkpoints SET envelope = ? WHERE session_id = ?", (text, session_id))
        connection.close()


class FirestoreWorld(StoreWorld):
    def __init__(self, client: Client) -> None:
        super().__init__()
        self.client, self.workspace, self.clock = client, f"sessions{next(_numbers)}", FakeClock()

    def store(self) -> WorkspaceStore:
        return WorkspaceStore(self.client, self.workspace, self.clock, random.Random(1), CountingIds())

    def shelf(self) -> Shelf:
        return FirestoreShelf(self.store())

    def document(self, session_id: str) -> Any:
        return self.client.document(f"workspaces/{self.workspace}/{path_of(session_id)}")

    def damage(self, session_id: str, text: str) -> None:
        """What is text elsewhere are fields here: those of the text where it has any, else broken members."""
        named = text.partition('"format":"')[2].partition('"')[0]
        self.document(session_id).update({"format": named} if named not in ("", FORMAT) else {"values": text})


class EngineServer:
    """The emulated session service behind a server."""

    def __init__(self, folder: Path, operation_seconds: float = 0.005) -> None:
        self.clock = RealClock()
        self.part = ReasoningEnginesPart(folder, self.clock, operation_seconds)
        self.app = Flask("engines")
        self.app.register_blueprint(self.part.blueprint())
        self._server = make_server("127.0.0.1", 0, self.app, threaded=True, request_handler=_Quiet)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def wrap(self, around: Callable[[Any], Any]) -> None:
        """Have requests go through what `around` makes of the application."""
        self._server.app = around(self.app)

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join(10)
        self._server.server_close()
        self.part.close()
        self.clock.close()


class _Quiet(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 - the base class names it so
        """Nothing: the tests read answers, not logs."""


@contextmanager
def engine_server(folder: Path, operation_seconds: float = 0.005) -> Iterator[EngineServer]:
    server = EngineServer(folder, operation_seconds)
    try:
        yield server
    finally:
        server.close()


Wrap = Callable[[httpx.BaseTransport], httpx.BaseTransport]


class EngineWorld(StoreWorld):
    chunks = False

    def __init__(self, server: EngineServer, **place: Any) -> None:
        super().__init__()
        self.server = server
        given = {"project": "p", "location": "us-central1", "engine": f"e{next(_numbers)}", "base_url": server.url}
        self.place = Place(**{**given, "poll_seconds": 0.1, **place})

    def shelf(self, wrap: Wrap | None = None, clock: Clock | None = None) -> Shelf:
        line = httpx.HTTPTransport(trust_env=False, verify=False)  # no certificates to load: nothing here is encrypted
        client = build_client(line if wrap is None else wrap(line))
        return AgentEngineShelf(Service(self.place, FixedToken("t"), clock or FakeClock(), random.Random(1), client))

    def damage(self, session_id: str, text: str) -> None:
        self.append(session_id, {ENVELOPE: text, SESSION_ID: session_id})

    def append(self, session_id: str, delta: dict[str, Any]) -> None:
        """What another client does to a session."""
        event = {
            "author": "x",
            "invocationId": "i",
            "timestamp": "2026-11-30T12:00:00Z",
            "actions": {"stateDelta": delta},
        }
        self.call("POST", f"/sessions/{resource_id(session_id)}:appendEvent", event)

    def call(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        url = f"{self.server.url}/v1/{self.place.parent}{path}"
        answer = httpx.request(method, url, json=body, headers={"Authorization": "Bearer t"}, trust_env=False)
        answer.raise_for_status()
        return dict(answer.json())

    def make(self, name: str, state: dict[str, Any]) -> None:
        """A session that somebody else made, once it is there."""
        operation = self.call("POST", f"/sessions?sessionId={name}", {"userId": "demo", "sessionState": state})["name"]
        last = operation.rpartition("/")[2]
        wait_until(lambda: self.call("GET", f"/sessions/{name}/operations/{last}").get("done"), what="the create")

    def events(self, session_id: str) -> list[dict[str, Any]]:
        return list(self.call("GET", f"/sessions/{resource_id(session_id)}/events").get("sessionEvents", []))

    def saves(self, session_id: str) -> int | None:
        """The create, and each event after it."""
        return 1 + len(self.events(session_id))
