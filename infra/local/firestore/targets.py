"""The targets of a Listen stream: what each has been told, and what it must be told next."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from infra.local.firestore import names, wire
from infra.local.firestore.engine import Engine
from infra.local.firestore.plan import Plan
from infra.local.firestore.planner import make_plan
from infra.local.firestore.refusals import invalid, unimplemented

State = dict[str, int]
Changed = dict[str, bytes | None]


class Target(ABC):
    """One target; `state` has the documents it includes, each with a fingerprint of what was sent."""

    window: Plan | None = None
    """A query whose results depend on documents that did not change, so that it is asked anew."""

    def __init__(self, engine: Engine, target_id: int, database: str) -> None:
        self.engine, self.id, self.database = engine, target_id, database
        self.seq = 0
        self.state: State = {}
        self._packed = wire.varint(target_id)

    def begin(self, connection: sqlite3.Connection, seq: int, resume: int | None) -> Iterator[bytes]:
        """The responses that bring a new listener, or one that knows the state after `resume`, up to `seq`."""
        if resume is not None:
            self.state = {name: hash(body) for name, body in self.bodies(connection, resume).items()}
        yield from self._catch_up(connection, first=resume is None)
        self.seq = seq

    def advance(self, connection: sqlite3.Connection, seq: int, changed: Changed) -> Iterator[bytes]:
        """The responses for what changed up to `seq`; `changed` has the newest state of each changed document."""
        yield from self.update(connection, changed)
        self.seq = seq

    def update(self, connection: sqlite3.Connection, changed: Changed) -> Iterator[bytes]:
        """The responses for `changed`; by default by looking at everything anew when it matters."""
        if any(map(self.concerns, changed)):
            yield from self._catch_up(connection, first=False)

    def prepare(self) -> None:
        """Bring up to date what `advance` may want to query; to be called outside of any snapshot."""
        if self.window is not None:
            self.engine.executor.prepare(self.window)

    @abstractmethod
    def bodies(self, connection: sqlite3.Connection, seq: int | None) -> dict[str, bytes]:
        """The documents the target includes, now or after the change `seq`, by name, in order."""

    @abstractmethod
    def concerns(self, name: str) -> bool:
        """Whether a change of that document can matter."""

    def missing(self, present: dict[str, bytes]) -> list[str]:
        """Documents a new listener must be told do not exist."""
        return []

    def _catch_up(self, connection: sqlite3.Connection, *, first: bool) -> Iterator[bytes]:
        bodies = self.bodies(connection, None)
        for name in self.state.keys() - bodies.keys():
            del self.state[name]
            yield self.removed(name, self.engine.store.body(connection, name))
        for name, body in bodies.items():
            if self.state.get(name) != hash(body):
                yield self.included(name, body)
        if first:
            for name in self.missing(bodies):
                yield self.removed(name, None)

    def included(self, name: str, body: bytes) -> bytes:
        """A DocumentChange that says the document is in the target as given."""
        self.state[name] = hash(body)
        self.engine.meter.add("firestore", "document_reads")
        return wire.splice(3, wire.splice(1, body) + wire.splice(5, self._packed))

    def removed(self, name: str, body: bytes | None) -> bytes:
        """A DocumentDelete, or a DocumentChange when the document exists but belongs to the target no more."""
        if body is not None:
            return wire.splice(3, wire.splice(1, body) + wire.splice(6, self._packed))
        read_time = wire.timestamp_of(self.engine.committer.read_micros()).SerializeToString()
        return wire.splice(4, wire.splice(1, name.encode()) + wire.splice(4, read_time) + wire.splice(6, self._packed))


class DocumentsTarget(Target):
    """Some documents by name."""

    def __init__(self, engine: Engine, target_id: int, database: str, documents: list[str]) -> None:
        super().__init__(engine, target_id, database)
        for name in documents:
            names.split_document(name)
        self._documents = dict.fromkeys(documents)

    def bodies(self, connection: sqlite3.Connection, seq: int | None) -> dict[str, bytes]:
        found = ((name, self.engine.store.body_at(connection, name, seq)) for name in self._documents)
        return {name: body for name, body in found if body is not None}

    def concerns(self, name: str) -> bool:
        return name in self._documents

    def update(self, connection: sqlite3.Connection, changed: Changed) -> Iterator[bytes]:
        """The log has all there is to tell; nothing is read again."""
        for name, body in changed.items():
            if not self.concerns(name):
                continue
            if body is None and self.state.pop(name, None) is not None:
                yield self.removed(name, None)
            elif body is not None and self.state.get(name) != hash(body):
                yield self.included(name, body)

    def missing(self, present: dict[str, bytes]) -> list[str]:
        return [name for name in self._documents if name not in present]


class QueryTarget(Target):
    """The results of a query."""

    def __init__(self, engine: Engine, target_id: int, database: str, plan: Plan) -> None:
        super().__init__(engine, target_id, database)
        self._plan = plan
        engine.rules.check(plan)
        engine.executor.prepare(plan)
        if plan.limit is not None or plan.offset:
            self.window = plan

    def bodies(self, connection: sqlite3.Connection, seq: int | None) -> dict[str, bytes]:
        rows = self.engine.executor.run(connection, self._plan, seq)
        return {wire.document_name(row.body): row.body for row in rows}

    def concerns(self, name: str) -> bool:
        return self._plan.covers(name.rpartition("/")[0])

    def update(self, connection: sqlite3.Connection, changed: Changed) -> Iterator[bytes]:
        if self.window is not None:
            yield from super().update(connection, changed)
            return
        for name, body in changed.items():
            if not self.concerns(name):
                continue
            if body is not None and self._matches(name, body):
                if self.state.get(name) != hash(body):
                    yield self.included(name, body)
            elif self.state.pop(name, None) is not None:
                yield self.removed(name, body)

    def _matches(self, name: str, body: bytes) -> bool:
        return self._plan.sort_key(wire.parse_document(body).fields, names.parse(name).key) is not None


def make_target(engine: Engine, database: str, target: Any) -> Target:
    """The target a request asks to add. Raises INVALID_ARGUMENT, UNIMPLEMENTED or FAILED_PRECONDITION."""
    kind = target.WhichOneof("target_type")
    if kind == "documents":
        return DocumentsTarget(engine, target.target_id, database, list(target.documents.documents))
    if kind != "query":
        raise invalid("A target needs documents or a query.")
    query = target.query.structured_query
    if query.HasField("find_nearest"):
        raise unimplemented("Listening to find_nearest")
    return QueryTarget(engine, target.target_id, database, make_plan(target.query.parent, query))
