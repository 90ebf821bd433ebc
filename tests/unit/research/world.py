"""The research job on a real Firestore, with the services beyond it under the test's control."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from google.cloud.firestore_v1 import Client

from infra.local.clock import RealClock
from shared.config import Settings
from shared.contracts.events import Event
from shared.contracts.operations import Operation
from shared.contracts.research import FailRequest, PollAnswer, PollRequest, StartAnswer, StartRequest
from shared.gateway.interactions import Interaction, InteractionError
from shared.research.ports import Ports
from shared.research.reconciling import Reconciler
from shared.research.service import Research
from shared.store.system import SystemStore
from shared.store.workspace import WorkspaceStore
from shared.trigger import Change
from shared.usage.spending import Spending
from tests.support.seams import CountingIds


class MovableClock(RealClock):
    """Real time plus what was advanced; sleeping advances."""

    def __init__(self) -> None:
        self._offset = timedelta()
        super().__init__()

    def now(self) -> datetime:
        return super().now() + self._offset

    def sleep(self, seconds: float) -> None:
        self.advance(seconds)

    def advance(self, seconds: float) -> None:
        self._offset += timedelta(seconds=seconds)


@dataclass
class FakeInteractions:
    """Each create takes the next of `creates` (an id, an error, or a callable), or makes up an id."""

    creates: list[Any] = field(default_factory=list)
    runs: dict[str, Any] = field(default_factory=dict)
    created: list[Mapping[str, Any]] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    asked: int = 0
    cancel_error: InteractionError | None = None

    def create(self, body: Mapping[str, Any], *, deadline_seconds: float) -> str:
        self.created.append(body)
        answer = self.creates.pop(0) if self.creates else f"v1_run{len(self.created)}"
        answer = answer() if callable(answer) else answer
        if isinstance(answer, Exception):
            raise answer
        return str(answer)

    def get(self, interaction_id: str) -> Interaction:
        self.asked += 1
        run = self.runs.get(interaction_id, Interaction(interaction_id, "in_progress"))
        run = run() if callable(run) else run
        if isinstance(run, Exception):
            raise run
        assert isinstance(run, Interaction)
        return run

    def cancel(self, interaction_id: str) -> None:
        if self.cancel_error is not None:
            raise self.cancel_error
        self.cancelled.append(interaction_id)

    def shows(self, interaction_id: str, status: str, *steps: Any, errors: Iterable[tuple[str, str]] = ()) -> None:
        self.runs[interaction_id] = Interaction(interaction_id, status, steps, tuple(errors))


@dataclass
class FakeExecutions:
    """Each start takes the next of `starts` (an error or a callable), or gives a new name."""

    starts: list[Any] = field(default_factory=list)
    started: list[Mapping[str, Any]] = field(default_factory=list)
    dead: set[str] = field(default_factory=set)
    cancelled: list[str] = field(default_factory=list)
    numbers: Any = field(default_factory=lambda: itertools.count(1))

    def start(self, workflow: str, argument: Mapping[str, Any]) -> str:
        self.started.append(argument)
        answer = self.starts.pop(0) if self.starts else None
        answer = answer() if callable(answer) else answer
        if isinstance(answer, Exception):
            raise answer
        return execution(next(self.numbers))

    def alive(self, name: str) -> bool:
        return name not in self.dead

    def cancel(self, name: str) -> None:
        self.cancelled.append(name)


class FakeRedirects:
    def is_redirect(self, url: str) -> bool:
        return "/redirect/" in url

    def resolve(self, urls: Iterable[str]) -> Mapping[str, str]:
        return {url: url.replace("/redirect/", "/page/") for url in urls if self.is_redirect(url)}


def execution(number: int) -> str:
    return f"projects/p/locations/l/workflows/research/executions/e{number}"


class World:
    def __init__(self, client: Client, clock: MovableClock, workspace: str, **settings: Any) -> None:
        self.client, self.clock, self.workspace = client, clock, workspace
        self.interactions, self.executions = FakeInteractions(), FakeExecutions()
        self._ids = CountingIds(f"{workspace}-id")
        self.store = self._store(workspace)
        self.settings = Settings(project="p", **settings)
        allowed = {"allow_agent_runs": False, "monthly_usd": self.settings.monthly_usd}
        self.spending = Spending(self._store, clock, **allowed)
        ports = Ports(
            store=self._store,
            executions=self.executions,
            clock=clock,
            settings=self.settings,
            interactions=self.interactions,
            redirects=FakeRedirects(),
            spending=self.spending,
        )
        self.research = Research(ports)
        self._system = SystemStore(client, clock, random.Random(2))
        self.reconciler = Reconciler(
            ports, lambda: self._system, self.research.engine.launching, self.research.engine.stopping
        )

    def _store(self, workspace: str) -> WorkspaceStore:
        return WorkspaceStore(self.client, workspace, self.clock, random.Random(1), self._ids)

    # notes, as a client of Firestore writes them

    def write_note(self, note_id: str, **fields: Any) -> Change:
        """Replace the document; the change is what a trigger would be told."""
        reference = self.client.document(f"workspaces/{self.workspace}/notes/{note_id}")
        before = reference.get()
        result = reference.set(fields)
        return Change(
            document=("workspaces", self.workspace, "notes", note_id),
            old=before.to_dict() if before.exists else None,
            new=fields,
            create_time=before.create_time if before.exists else _micro(result.update_time),
            update_time=_micro(result.update_time),
            event_id="e",
            event_type="written",
            sent_at=self.clock.now(),
        )

    def tag(self, note_id: str = "n1", **fields: Any) -> Change:
        return self.write_note(note_id, **{"title": "Bees", "body": "Why?", "tags": ["research", "hive"], **fields})

    def delivered(self, change: Change) -> None:
        self.research.note_written(change)

    # operations

    def operations(self) -> list[Operation]:
        return list(self.store.operations.list(limit=50)[0])

    @property
    def operation(self) -> Operation:
        [only] = self.operations()
        return only

    def events(self, operation: Operation | None = None) -> list[Event]:
        return self.store.streams.read(f"operations/{(operation or self.operation).id}", limit=500)

    def types(self) -> list[str]:
        return [event.type for event in self.events()]

    def edit(self, **fields: Any) -> None:
        """Put the operation into a state that takes long to get into."""
        self.client.document(f"workspaces/{self.workspace}/operations/{self.operation.id}").update(fields)

    # the workflow's calls

    def begin(self) -> Operation:
        """A tagged note whose execution has started its run."""
        self.delivered(self.tag())
        self.start()
        return self.operation

    def start(self, number: int = 1, **request: Any) -> StartAnswer:
        request = request or {"operation_id": self.operation.id}
        return self.research.start(StartRequest(workspace=self.workspace, execution=execution(number), **request))

    def poll(self, fence: int | None = None) -> PollAnswer:
        operation = self.operation
        fence = operation.fence if fence is None else fence
        return self.research.poll(PollRequest(workspace=self.workspace, operation_id=operation.id, fence=fence))

    def fail(self, **request: Any) -> Operation | None:
        request = {"operation_id": self.operation.id, "message": "no luck", **request}
        return self.research.engine.fail(FailRequest(workspace=self.workspace, **request)).operation

    def poll_until_ended(self, seconds: float = 20_000.0) -> str:
        """Follow the cadence on the movable clock."""
        until = self.clock.now() + timedelta(seconds=seconds)
        while self.clock.now() < until:
            answer = self.poll()
            if answer.status != "running":
                return answer.status
            self.clock.advance(answer.next_poll_seconds)
        raise TimeoutError("the run did not end")


def _micro(moment: Any) -> datetime:
    return datetime.fromtimestamp(0, moment.tzinfo) + (moment - datetime.fromtimestamp(0, moment.tzinfo))


MakeWorld = Callable[..., World]
