"""Two workspaces full of things, and whatever deletes one of them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from google.cloud.firestore_v1 import Client

from shared.contracts.operations import CancelAnswer, Operation, OperationStatus
from shared.contracts.research import SweepAnswer
from shared.contracts.workspace_deletions import DeletionStartRequest, DeletionStepRequest, WorkspaceDeletion
from shared.errors import Transient
from shared.gateway.objects import Objects, connect
from shared.sessions.memory import MemoryShelf
from shared.sessions.store import Store
from shared.store import paths
from shared.store.database import Database
from shared.store.deletions import Deletions
from shared.store.gate import Closed
from shared.store.streams import Append
from shared.store.system import SystemStore
from shared.store.workspace import WorkspaceStore
from shared.store.writes import put
from shared.workspaces.ports import Ports
from shared.workspaces.service import Workspaces
from tests.support.seams import CountingIds, FakeClock

_numbers = itertools.count(1)
DAY = "trace/2026/11/29"


@dataclass
class FakeExecutions:
    """Executions by name; those in `dead` have ended."""

    started: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    dead: set[str] = field(default_factory=set)
    away: bool = False

    def start(self, workflow: str, argument: Mapping[str, Any]) -> str:
        if self.away:
            raise Transient("Workflows is away.")
        self.started.append((workflow, argument))
        return f"executions/e{len(self.started)}"

    def alive(self, name: str) -> bool:
        return name not in self.dead

    def cancel(self, name: str) -> None:
        self.cancelled.append(name)
        self.dead.add(name)


class House:
    """`name` is to be deleted, `other` is to stay as it is."""

    def __init__(self, client: Client, clock: FakeClock) -> None:
        self.client, self.clock = client, clock
        number = next(_numbers)
        self.name, self.other = f"gone{number}", f"stays{number}"
        self.executions, self.objects = FakeExecutions(), connect("memory:///", {})
        self.sessions = Store(MemoryShelf())
        self.stubborn: set[str] = set()
        self.database = Database(client, "", clock, random.Random(1))
        self.closed = Closed(self.database, clock)
        self.workspaces = self._workspaces()

    def _workspaces(self) -> Workspaces:
        ports = Ports(
            deletions=self.deletions,
            work=self,
            executions=self.executions,
            files=lambda: self.objects,
            session_stores=lambda _workspace: [self.sessions],
            clock=self.clock,
            launch_lease_seconds=60.0,
        )
        return Workspaces(ports, lambda: SystemStore(self.client, self.clock, random.Random(2)))

    def deletions(self) -> Deletions:
        return Deletions(self.client, self.clock, random.Random(3), CountingIds())

    def store(self, workspace: str) -> WorkspaceStore:
        """One that no deletion closes."""
        return WorkspaceStore(self.client, workspace, self.clock, random.Random(4), CountingIds(f"ids-{workspace}"))

    def closable(self, workspace: str) -> WorkspaceStore:
        """One as the product has it."""
        ids = CountingIds(f"closable-{workspace}")
        return WorkspaceStore(self.client, workspace, self.clock, random.Random(5), ids, self.closed)

    def cancel_operation(self, workspace: str, operation_id: str) -> CancelAnswer:
        stubborn = operation_id in self.stubborn

        def decide(operation: Operation | None, _found: object) -> Append | None:
            assert operation is not None
            return Append({"status": OperationStatus.CANCELLED.value, "cancel_pending": stubborn})

        operations = self.store(workspace).operations
        before = operations.get(operation_id)
        change = operations.append(operation_id, decide, point="test")
        return CancelAnswer(operation=change.operation, cancelled=not before.status.terminal, message="")

    def cancel_run(self, workspace: str, run_id: str) -> Any:
        raise AssertionError((workspace, run_id))

    def cancel_turn(self, workspace: str, session_id: str) -> Any:
        raise AssertionError((workspace, session_id))

    def furnish(self, workspace: str) -> None:
        """Documents of kinds that are known and of one that is not, some below documents that do not exist."""
        root = paths.workspace(workspace)
        writes = [put(root, {"v": 1, "plan": "pro"})]
        for n in range(5):
            writes.append(put(f"{root}/notes/n{n}", {"title": str(n)}))
            writes += [put(f"{root}/notes/n{n}/events/{e:08d}", {"seq": e}) for e in range(3)]
        writes.append(put(f"{root}/agent_runs/missing/steps/s1/answers/0001", {"n": 1}))
        writes.append(put(f"{root}/of_a_later_version/x/deeper/y/deepest/z", {"n": 1}))
        writes.append(put(f"{root}/note_index/n1", {"terms": ["a"]}))
        self.database.commit(writes, "test")
        self.store(workspace).members.put("ada@example.com", "owner", "")  # type: ignore[arg-type]
        objects: Objects = self.objects
        for name in (f"workspaces/{workspace}/documents/d1/original", f"workspaces/{workspace}/documents/d1/plot.svg"):
            objects.put(name, b"file", "text/plain")
        for name in (f"{DAY}/{workspace}.jsonl.gz", f"{DAY}/{workspace}.2.jsonl.gz", f"{DAY}/{workspace}/event_a.json"):
            objects.put(name, b"trace", "text/plain")

    def operation(self, operation_id: str, workspace: str = "") -> None:
        now = self.clock.now()
        fields = Operation(id=operation_id, created_at=now, updated_at=now).model_dump()
        self.database.commit([put(f"workspaces/{workspace or self.name}/operations/{operation_id}", fields)], "test")

    def everything(self, workspace: str) -> dict[str, Any]:
        """All that there is of a workspace, wherever it lies, read without the code under test."""
        found: dict[str, Any] = {}
        pending = [self.client.document(f"workspaces/{workspace}")]
        while pending:
            one = pending.pop()
            snapshot = one.get()
            if snapshot.exists:
                found[one.path] = (snapshot.to_dict(), snapshot.update_time)
            for collection in one.collections():
                pending += list(collection.list_documents())
        for one in self.objects.list("workspaces"):
            if one.name.split("/")[1] == workspace:
                found[one.name] = self.objects.get(one.name, 1000)
        for one in self.objects.list("trace"):
            if workspace in one.name.replace(".", "/").split("/"):
                found[one.name] = self.objects.get(one.name, 1000)
        return found

    def run(self, execution: str = "executions/e1") -> str:
        """What the workflow does, until its end; the status that it ends with."""
        started = self.workspaces.start(DeletionStartRequest(workspace=self.name, execution=execution))
        status = started.status
        for _ in range(1000):
            if status != "running":
                return status
            answer = self.workspaces.step(DeletionStepRequest(workspace=self.name, fence=started.fence))
            status = answer.status
            self.clock.sleep(answer.wait_seconds)
        raise AssertionError("it does not end")

    @property
    def deletion(self) -> WorkspaceDeletion:
        found = self.deletions().find(self.name)
        assert found is not None
        return found

    def sweep(self) -> SweepAnswer:
        return self.workspaces.sweep()

    def advance_to(self, moment: datetime) -> None:
        self.clock.advance((moment - self.clock.now()).total_seconds())
