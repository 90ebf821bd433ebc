"""The whole product on the local cloud, in this process and on a virtual clock: hours pass in milliseconds."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import grpc
import httpx
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.workflows.executions_v1 import Execution, ExecutionsClient
from google.cloud.workflows.executions_v1.services.executions.transports import ExecutionsGrpcTransport

from infra.local.aiplatform.script import HttpFailure, Script
from infra.local.aiplatform.service import AiPlatformPart
from infra.local.clock import VirtualClock
from infra.local.cloud import Addresses, CloudConfig, LocalCloud
from infra.local.eventarc.part import EventarcPart
from infra.local.faults import Faults
from shared import bootstrap, config
from shared.clock import in_thread

ROOT = Path(__file__).resolve().parents[2]
PROJECT, WORKSPACE = "memex-local", "demo"
TERMINAL = ("completed", "failed", "cancelled")

T = TypeVar("T")


@dataclass(frozen=True)
class Frame:
    """One frame of an event stream."""

    id: str
    data: str


class World:
    """A local cloud with inline functions; what a test does, it does through `act`, so that time can move meanwhile."""

    def __init__(self, data_dir: Path, start: datetime | None = None, **env: str) -> None:
        self.clock = VirtualClock(start)
        env = {"RESEARCH_CREATE_TIMEOUT_SECONDS": "2"} | env  # also waited for in real time, by a socket that hangs
        self.cloud = LocalCloud(
            CloudConfig(root=ROOT, data_dir=data_dir, functions="inline", clock=self.clock, env=env, run_seconds=60)
        )
        self.address: Addresses = self.cloud.start()
        app = bootstrap.App(config.load(), clock=self.clock, randomness=random.Random(7), spawn=self._spawn)
        bootstrap.use(app)
        self.http = httpx.Client(
            base_url=self.address.http,
            headers={"Authorization": f"Bearer {self.address.token}"},
            trust_env=False,
            timeout=30,
        )

    def _spawn(self, task: Callable[[], None], name: str) -> None:
        """A thread of the product. Who watches a turn sleeps on the clock beside it; the others are waited for."""
        in_thread(self.clock.counted(task) if name.startswith("watch ") else task, name)

    def close(self) -> None:
        self.http.close()
        self.channel.close()
        bootstrap.use(None)
        self.cloud.close()
        self.clock.close()

    @cached_property
    def channel(self) -> grpc.Channel:
        return grpc.insecure_channel(self.address.grpc)

    @cached_property
    def firestore(self) -> firestore.Client:
        """Google's own client, as any other program would use it."""
        return firestore.Client(
            project=PROJECT,
            credentials=AnonymousCredentials(),
            client_options={"api_endpoint": self.address.grpc},
        )

    def act(self, call: Callable[[], T], limit: timedelta = timedelta(hours=4)) -> T:
        """What `call` returns; the clock moves while it waits."""
        answer: Future[T] = Future()

        def run() -> None:
            try:
                answer.set_result(call())
            except BaseException as error:  # noqa: BLE001 - handed to the test that waits for it
                answer.set_exception(error)

        threading.Thread(target=self.clock.counted(run), daemon=True).start()
        assert self.clock.run_until(answer.done, limit=limit), "the call did not end in time"
        return answer.result(0)

    def pass_time(self, seconds: float) -> None:
        """Let so much time pass, with all that falls due in it."""
        end = self.clock.now() + timedelta(seconds=seconds)
        self.clock.call_later(seconds, lambda: None, "end of the wait")
        self.clock.run_until(lambda: self.clock.now() >= end, limit=timedelta(seconds=seconds + 1))

    def until(self, done: Callable[[], bool], limit: timedelta = timedelta(hours=4)) -> None:
        """Let time pass until `done()`; fails when `limit` passes before. `done` must not wait for the clock."""
        assert self.clock.run_until(done, limit=limit), "it did not come true in time"

    def request(self, method: str, path: str, **arguments: Any) -> Any:
        """The JSON of an API answer; fails on an error answer."""
        answer = self.act(lambda: self.http.request(method, path, **arguments))
        assert answer.status_code < 400, answer.text
        return answer.json()

    def write_note(self, body: str, *tags: str, title: str = "") -> str:
        """A note through the API; returns its id."""
        note = {"title": title, "body": body, "tags": list(tags)}
        return str(self.request("POST", "/api/v1/notes", json=note)["note"]["id"])

    def notes(self, kind: str) -> list[dict[str, Any]]:
        return list(self.request("GET", "/api/v1/notes", params={"kind": kind})["notes"])

    def note(self, note_id: str) -> dict[str, Any]:
        return dict(self.request("GET", f"/api/v1/notes/{note_id}")["note"])

    def stored_operations(self) -> list[dict[str, Any]]:
        """Every operation document, oldest first, read past the product."""
        found = [doc.to_dict() or {} for doc in self._workspace.collection("operations").stream()]
        return sorted(found, key=lambda fields: fields["created_at"])

    def finished(self) -> bool:
        """Whether there is an operation and none is running."""
        operations = self.stored_operations()
        return bool(operations) and all(operation["status"] in TERMINAL for operation in operations)

    def research(self, *scripts: Script, body: str | None = None) -> dict[str, Any]:
        """Tag a note, let the run end, and return its one operation. Every script must have been used."""
        for script in scripts:
            self.platform.script_interaction(script)
        self.write_note(body or QUESTION, "research", title="How long should the dough rest?")
        self.until(self.finished)
        self.settle()
        (operation,) = self.stored_operations()
        assert self.platform.unused_scripts() == []
        return operation

    def research_refused(self, failure: HttpFailure) -> dict[str, Any]:
        """Tag a note whose create the service refuses, and return its one operation."""
        self.platform.script_interaction(Script(create_failures=(failure,)))
        self.write_note(QUESTION, "research")
        self.until(self.finished)
        (operation,) = self.stored_operations()
        return operation

    def active_executions(self) -> list[str]:
        """The names of the workflow executions that have not ended."""
        client = ExecutionsClient(transport=ExecutionsGrpcTransport(channel=self.channel))
        found = client.list_executions(parent=f"projects/{PROJECT}/locations/us-central1/workflows/research")
        return [execution.name for execution in found if execution.state == Execution.State.ACTIVE]

    def settle(self) -> None:
        """Let what is under way come to rest: late deliveries, the end of executions."""
        self.pass_time(60)

    def events(self, operation_id: str, last_event_id: str | None = None) -> list[Frame]:
        """The frames of an operation's event stream, from the API, until the stream ends."""
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last_event_id} if last_event_id else {})
        answer = self.act(lambda: self.http.get(f"/api/v1/operations/{operation_id}/events", headers=headers))
        assert answer.status_code == 200, answer.text
        return frames(answer.text)

    @property
    def platform(self) -> AiPlatformPart:
        return self.cloud.services.aiplatform

    @property
    def faults(self) -> Faults:
        return self.cloud.seams.faults

    @property
    def eventarc(self) -> EventarcPart:
        return self.cloud.triggers.eventarc

    def count_events(self) -> int:
        """How many events all streams hold."""
        return len(list(self.firestore.collection_group("events").stream()))

    @property
    def paid_runs(self) -> list[str]:
        """The ids of the interactions that the service accepted."""
        return self.platform.calls.created()

    @property
    def _workspace(self) -> Any:
        return self.firestore.collection("workspaces").document(WORKSPACE)


def frames(text: str) -> list[Frame]:
    """The frames of a finished event stream; comments and retry lines are left out."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line and not line.startswith(":"))
        if "data" in fields:
            found.append(Frame(fields["id"], fields["data"]))
    return found


QUESTION = "How long should a sourdough with rye rest in the fridge, and what does the cold do to the crumb?"

NOTES = (
    (
        "Cold retard log",
        "The dough with 20 percent rye rested 14 hours in the fridge at 4 degrees. The cold slows the yeast more than "
        "the bacteria, so the crumb came out more sour and the crust blistered. After 30 hours in the fridge the crumb "
        "was dense.",
    ),
    (
        "Rye in sourdough",
        "Rye ferments faster than wheat, because it carries more enzymes. A sourdough with rye should rest shorter at "
        "room temperature, three hours at 24 degrees, before it goes into the fridge.",
    ),
    ("Bicycle", "The chain was replaced after 3,100 kilometres; the cassette had no wear to speak of."),
)
