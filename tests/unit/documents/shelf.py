"""Documents on a real Firestore, with their files in memory and their workflow in the hands of the test."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from shared.contracts.documents import (
    Document,
    ExtractStartAnswer,
    ExtractStartRequest,
    ExtractStepAnswer,
    ExtractStepRequest,
)
from shared.contracts.operations import Operation
from shared.documents.ports import Ports
from shared.documents.receiving import File
from shared.documents.sandbox import Workers
from shared.documents.service import Documents
from shared.gateway.objects import Objects
from shared.llm.port import Embedder
from shared.search.documents import DocumentSearch
from shared.store.system import SystemStore
from tests.support.seams import CountingIds
from tests.unit.research.world import World, execution

WORKERS = Workers()


@dataclass
class Shelf:
    world: World
    objects: Objects
    embedder: Embedder | None = None

    def __post_init__(self) -> None:
        ids = CountingIds(f"{self.world.workspace}-document")
        self.documents = Documents(
            Ports(self.world.research.engine, lambda: self.objects, lambda: self.embedder, ids, WORKERS)
        )
        self.store, self.workspace = self.world.store, self.world.workspace

    def put(self, name: str, data: bytes, key: str | None = None) -> Document:
        return self.documents.receive(self.workspace, File(name, data, key)).document

    def get(self, document: Document) -> Document:
        return self.documents.get(self.workspace, document.id)

    def operation(self, document: Document) -> Operation:
        assert document.operation_id is not None
        return self.store.operations.get(document.operation_id)

    def start(self, document: Document, number: int = 1) -> ExtractStartAnswer:
        return self.documents.start(
            ExtractStartRequest(
                workspace=self.workspace, operation_id=self.operation(document).id, execution=execution(number)
            )
        )

    def step(self, document: Document, fence: int = 1) -> ExtractStepAnswer:
        return self.documents.step(
            ExtractStepRequest(workspace=self.workspace, operation_id=self.operation(document).id, fence=fence)
        )

    def extracted(self, name: str, data: bytes) -> Document:
        """The document as its workflow leaves it."""
        document = self.put(name, data)
        fence = self.start(document).fence
        for _ in range(20):
            if self.step(document, fence).status != "running":
                return self.get(document)
        raise AssertionError("the extraction did not end")

    def text(self, document: Document) -> str:
        return "".join(one.text for one in self.store.chunks.from_offset(document.id, 0, 1000))

    def found(self, query: str, **wanted: Any) -> list[tuple[str, int | None]]:
        answer = DocumentSearch(self.store, lambda: self.embedder).search(query, **{"limit": 10, **wanted})
        return [(hit.name, hit.page) for hit in answer.hits]

    def paths_below(self, document: Document) -> list[str]:
        """What is there of a document, in Firestore and among the objects."""
        root = self.world.client.document(f"workspaces/{self.workspace}")
        chunks = root.collection("documents").document(document.id).collection("chunks").stream()
        index = [one for one in root.collection("chunk_index").stream() if one.get("document_id") == document.id]
        objects = self.objects.list(f"workspaces/{self.workspace}/documents/{document.id}")
        record = root.collection("documents").document(document.id).get()
        return [*(one.id for one in chunks), *(one.id for one in index), *(one.name for one in objects)] + (
            [record.id] if record.exists else []
        )

    def sweep(self) -> int:
        return self.documents.sweep(SystemStore(self.world.client, self.world.clock, random.Random(3)))
