"""What people and their programs do: through the API, straight in the database, by hand at the console."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from google.api_core import exceptions as google
from google.cloud.workflows.executions_v1 import Execution

from infra.sim import wsgi
from infra.sim.exchange import Disconnected
from infra.sim.hub import Hub
from infra.sim.world import LOCATION, PROJECT, TOKEN, WORKSPACE, World

AUTHORIZED: Mapping[str, str] = {"Authorization": f"Bearer {TOKEN}"}
_TRIES, _PAUSE = 10, 7.0


class Person:
    """One who uses Memex; tries again what failed, as people do."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.hub = world, world.hub
        self.name = name
        self.chance = random.Random(f"{name}/{world.plan.seed}")
        self.unanswered: list[str] = []
        """What never got a good answer, however often it was tried."""

    @property
    def notes(self) -> Any:
        return self.world.clients.by_hand.collection("workspaces").document(WORKSPACE).collection("notes")

    def wait(self) -> None:
        """Some seconds, or some minutes, or none."""
        longest = self.chance.choice((0.0, 1.0, 15.0, 60.0, 300.0))
        self.hub.sleep(self.chance.uniform(0.0, longest))

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Status and JSON of the API's answer, after as many tries as it takes; (0, None) when none helped."""
        sent = {**AUTHORIZED, "Content-Type": "application/json", **headers}
        content = b"" if body is None else json.dumps(body).encode()
        status = 0
        for _ in range(_TRIES):
            try:
                exchange = self.world.front.open("api", wsgi.Request(method, f"/api/v1{path}", sent, content))
                status = exchange.head()
                answer = b"".join(exchange.chunks())
            except Disconnected:
                status = 0
            if status and status < 500 and status != 429:
                return status, json.loads(answer) if answer else None
            self.hub.sleep(_PAUSE)
        self.unanswered.append(f"{method} {path}: {status}")
        return 0, None

    def press_once(self, path: str) -> None:
        """POST, and go away whatever comes of it."""
        request = wsgi.Request("POST", f"/api/v1{path}", AUTHORIZED)
        with suppress(Disconnected):
            self.world.front.open("api", request).head()

    # Notes

    def write(self, title: str, body: str, *tags: str) -> str:
        """A note through the API; its id, "" when it could not be written."""
        key = f"{self.name}/{title}"
        _, answer = self.ask(
            "POST", "/notes", {"title": title, "body": body, "tags": list(tags)}, **{"Idempotency-Key": key}
        )
        return str(answer["note"]["id"]) if answer and "note" in answer else ""

    def write_directly(self, note: str, title: str, body: str, *tags: str) -> str:
        """A note straight into the database, with as few fields as other programs write."""
        self.hub.pause()
        self.notes.document(note).set({"title": title, "body": body, "tags": list(tags)})
        return note

    def tag(self, note: str, on: bool) -> None:
        """Put the tag research on or take it off: by the API, or past it."""
        way = self.chance.choice(("api", "api", "replace", "direct"))
        if way == "api":
            self.ask("PATCH", f"/notes/{note}", {"add_tags" if on else "remove_tags": ["research"]})
        elif way == "replace":
            self.ask("PATCH", f"/notes/{note}", {"tags": ["bread", "research"] if on else ["bread"]})
        else:
            self._directly(note, {"tags": ["research"] if on else []})

    def edit(self, note: str) -> None:
        """Change something that is not the tag."""
        text = f"Changed at {self.hub.seconds:.0f} s."
        if self.chance.random() < 0.5:
            self.ask("PATCH", f"/notes/{note}", {"title": text})
        else:
            self._directly(note, {"body": text})

    def delete(self, note: str) -> None:
        if self.chance.random() < 0.7:
            self.ask("DELETE", f"/notes/{note}")
        else:
            self.hub.pause()
            self.notes.document(note).delete()

    def _directly(self, note: str, fields: Mapping[str, Any]) -> None:
        self.hub.pause()
        try:
            self.notes.document(note).update(dict(fields))
        except google.NotFound:
            self.hub.note("the note is gone")

    # Operations

    def operations(self, note: str) -> list[Mapping[str, Any]]:
        """The operations of a note, newest first."""
        _, answer = self.ask("GET", "/operations")
        found = (answer or {}).get("operations", [])
        return [each for each in found if each["source_note_id"] == note]

    def end_execution(self, execution: str) -> None:
        """Cancel a workflow execution at the console, which leaves its operation to nobody; "" is none yet."""
        self.hub.pause()
        if not execution:
            self.hub.note("no execution is there to end")
            return
        with suppress(google.FailedPrecondition):  # it has ended by itself
            self.world.clients.executions_by_hand.cancel_execution(name=execution)

    def cancel(self, operation: str) -> None:
        """Press cancel: once, twice, or twice at once."""
        path = f"/operations/{operation}/cancel"
        presses = self.chance.choice((1, 1, 2))
        for _ in range(presses - 1):
            self.hub.spawn(lambda: self._pressed(path), f"{self.name} cancels")
        self._pressed(path)

    def _pressed(self, path: str) -> None:
        self.ask("POST", path)

    def start_by_hand(self, note: str) -> None:
        """Start the workflow for a note, as from the console."""
        self.hub.pause()
        argument = json.dumps({"workspace": WORKSPACE, "note_id": note})
        parent = f"projects/{PROJECT}/locations/{LOCATION}/workflows/research"
        self.world.clients.executions_by_hand.create_execution(parent=parent, execution=Execution(argument=argument))


def begin(hub: Hub, name: str, act: Callable[[], None]) -> None:
    """Have somebody act, beside all others."""
    hub.spawn(act, name)
