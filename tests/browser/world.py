"""A local cloud of its own process, and the page as production has it: the API is elsewhere, as memex.json says."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server

from infra.local.aiplatform.model_script import ModelScript, hold
from infra.local.aiplatform.script import Script
from infra.local.front import pages
from tests.support.command import ROOT, up
from tests.support.waiting import wait_until

RUN_SECONDS = "2"
QUESTION = ("Battery in winter", "What does the cold do to the battery in the garage?")
NOTES = (
    (
        "The battery in the cold garage",
        "In the garage the cold limits charging: full current from 12 °C up, half at 8 °C, nothing at 0 °C.\n\n"
        "The losses of the battery itself keep it warm: 5 K above the garage on a day with one full cycle.",
        ["solar", "battery"],
    ),
    (
        "Charging the battery at night in winter",
        "One night charge of the battery covers the day nearly always. Night charging in winter warms the cells as "
        "well, and at the time when it is coldest.\n\n- the night rate is 0.17\n- the day rate is 0.31",
        ["solar"],
    ),
    ("The base loaf", "Flour 900 g, water 640 g, salt 18 g. Autolyse one hour, then fold four times.", ["bread"]),
)


@dataclass(frozen=True)
class Gate:
    """Where a script stands still until the test has seen what it wanted to see."""

    http: httpx.Client
    name: str

    @property
    def item(self) -> Mapping[str, Any]:
        """For the script of a model."""
        return hold(self.name)

    def open(self) -> None:
        _control(self.http, "gates", json.dumps({"name": self.name}))


@dataclass(frozen=True)
class World:
    """Where the page is, where the functions api and chat are, at origins of their own, and a client of the former."""

    page: str
    api: str
    chat: str
    token: str
    http: httpx.Client
    gates: list[Gate] = field(default_factory=list)

    def gate(self) -> Gate:
        """A gate for a script of the test; what must be seen while it lasts is held at one."""
        self.gates.append(Gate(self.http, f"gate {len(self.gates)}"))
        return self.gates[-1]

    def script(self, *items: Mapping[str, Any], pace: float | None = None) -> None:
        """The model says this to the next request that offers it tools."""
        _control(self.http, "model-scripts", ModelScript(items, pace_seconds=pace).to_json())

    def hold_research(self) -> Gate:
        """The next research stands still half way, until the gate is opened."""
        gate = self.gate()
        _control(self.http, "scripts", Script(run_seconds=2.0, hold=(1.0, gate.name)).to_json())
        return gate

    def let_go(self) -> None:
        """Nothing that a test scripted, held or left under way is there for the next one."""
        for gate in self.gates:
            gate.open()
        for session in self.get("/chat/sessions?limit=50")["sessions"]:
            if session["running_turn_id"]:
                self.http.post(f"/api/v1/chat/sessions/{session['id']}/cancel")
        for scripts in ("scripts", "model-scripts"):
            self.http.delete(f"/_cloud/aiplatform/{scripts}").raise_for_status()

    def get(self, path: str) -> Any:
        answer = self.http.get(f"/api/v1{path}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def note(self, title: str, body: str, *tags: str) -> str:
        """A note through the API; returns its id."""
        answer = self.http.post("/api/v1/notes", json={"title": title, "body": body, "tags": tags})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["note"]["id"])

    def loaf(self) -> str:
        """The id of the sample note The base loaf, whatever other tests have written since."""
        (found,) = (
            one["id"] for one in self.get("/notes?tag=bread&limit=50")["notes"] if one["title"] == "The base loaf"
        )
        return str(found)

    def operation(self, note_id: str) -> dict[str, Any]:
        """The newest operation about a note, once there is one."""
        found: list[dict[str, Any]] = []

        def there() -> bool:
            found[:] = self.get(f"/operations?source_note_id={note_id}")["operations"]
            return bool(found)

        wait_until(there, what="the operation")
        return found[0]

    def researched(self, note_id: str) -> dict[str, Any]:
        """The newest operation about a note, once it has ended."""
        wait_until(lambda: self.operation(note_id)["status"] != "running", what="the end of the research")
        return self.operation(note_id)


def _control(http: httpx.Client, what: str, content: str) -> None:
    headers = {"Content-Type": "application/json"}
    answer = http.post(f"/_cloud/aiplatform/{what}", content=content, headers=headers)
    assert answer.status_code == httpx.codes.OK, answer.text


class _Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: Any) -> None:
        """Says nothing."""


@contextmanager
def world() -> Iterator[World]:
    """The world with three notes in it."""
    app = Flask("page", static_folder=None)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Quiet)
    page = f"http://127.0.0.1:{server.server_port}"
    cors = f"CORS_ORIGINS={page}"
    with up("--ephemeral", "--run-seconds", RUN_SECONDS, "--set", cors) as (_, place):
        chat = place["http"].replace("127.0.0.1", "localhost")
        places = {"/api/v1": place["http"], "/api/v1/chat": chat}
        app.register_blueprint(pages.blueprint(Path(ROOT) / "web_static", places))
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        headers = {"Authorization": f"Bearer {place['token']}"}
        try:
            with httpx.Client(base_url=place["http"], headers=headers, trust_env=False, timeout=60) as http:
                made = World(page, place["http"], chat, place["token"], http)
                for title, body, tags in NOTES:
                    made.note(title, body, *tags)
                yield made
        finally:
            server.shutdown()
            server.server_close()
            thread.join(10)
