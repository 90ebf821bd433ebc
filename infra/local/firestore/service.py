"""The Firestore part of the local cloud: the gRPC service over one engine."""

from __future__ import annotations

import hashlib
import itertools
from pathlib import Path
from typing import Any

import grpc

from infra.local.clock import Clock
from infra.local.firestore import wire
from infra.local.firestore.changes import ChangeLog
from infra.local.firestore.commits import Commits
from infra.local.firestore.documents import Documents
from infra.local.firestore.engine import Engine
from infra.local.firestore.inside import Inside
from infra.local.firestore.listen import Listening
from infra.local.firestore.listing import Listing
from infra.local.firestore.queries import Queries
from infra.local.meter import Meter
from infra.local.rpc import Kind, Method, service_handler

SERVICE = "google.firestore.v1.Firestore"
REFUSED = ("PartitionQuery", "ExecutePipeline", "Write")


class FirestorePart:
    """Firestore for any project and database; it keeps everything in `data_dir`/firestore.sqlite."""

    def __init__(self, data_dir: Path, clock: Clock, meter: Meter, indexes_file: Path) -> None:
        self._engine = Engine(data_dir / "firestore.sqlite", clock, meter, indexes_file)
        self._listening = Listening(self._engine)
        self._counter = itertools.count()

    @property
    def changes(self) -> ChangeLog:
        """What every commit changed."""
        return self._engine.log

    @property
    def inside(self) -> Inside:
        """The service for whoever is in this process."""
        return Inside(self._engine, self._new_id)

    def start(self) -> None:
        """Nothing is under way between two runs; here for the likeness of parts."""

    def close(self) -> None:
        """End all streams and close the database. Idempotent."""
        self._listening.close()
        self._engine.close()

    def handlers(self) -> list[grpc.GenericRpcHandler]:
        """The service, for a gRPC server; each open Listen stream holds one of the server's threads."""
        return [service_handler(SERVICE, self._methods(), REFUSED)]

    def _methods(self) -> dict[str, Method]:
        documents, listing = Documents(self._engine, self._new_id), Listing(self._engine)
        commits, queries = Commits(self._engine), Queries(self._engine)
        stream = Kind.SERVER_STREAM
        return {
            "GetDocument": _method("GetDocument", documents.get),
            "BatchGetDocuments": _method("BatchGetDocuments", documents.batch_get, stream),
            "ListDocuments": _method("ListDocuments", listing.list_documents),
            "CreateDocument": _method("CreateDocument", documents.create),
            "UpdateDocument": _method("UpdateDocument", documents.update),
            "DeleteDocument": _method("DeleteDocument", documents.delete),
            "ListCollectionIds": _method("ListCollectionIds", documents.list_collection_ids),
            "Commit": _method("Commit", commits.commit),
            "BatchWrite": _method("BatchWrite", commits.batch_write),
            "BeginTransaction": _method("BeginTransaction", commits.begin),
            "Rollback": _method("Rollback", commits.rollback),
            "RunQuery": _method("RunQuery", queries.run, stream),
            "RunAggregationQuery": _method("RunAggregationQuery", queries.aggregate, stream),
            "Listen": _method("Listen", self._listening.listen, Kind.BIDI_STREAM),
        }

    def _new_id(self) -> str:
        """An id for CreateDocument without one: no two alike, in the manner of the clients' own."""
        seed = f"{self._engine.store.boot}/{next(self._counter)}/{self._engine.clock.now().isoformat()}"
        return hashlib.sha256(seed.encode()).hexdigest()[:20]


def _method(name: str, call: Any, kind: Kind = Kind.UNARY) -> Method:
    return Method(call, wire.message(f"{name}Request"), wire.Raw, kind)
