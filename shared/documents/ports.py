"""What documents need from outside: the engine of operations, the place of files, and the model that embeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from shared.contracts.documents import Document
from shared.documents.refusals import Refused
from shared.documents.sandbox import Workers
from shared.ids import IdSource, derived

if TYPE_CHECKING:
    from shared.gateway.objects import Objects
    from shared.llm.port import Embedder
    from shared.operations.service import Engine
    from shared.store.workspace import WorkspaceStore


@dataclass(frozen=True)
class Ports:
    """Everything a transition may use. `files` is None where no place for files is set."""

    engine: Engine
    """Launches, claims, cancels and fails operations of every kind."""
    files: Callable[[], Objects] | None
    embedder: Callable[[], Embedder | None]
    ids: IdSource
    workers: Workers

    def now(self) -> datetime:
        return self.engine.ports.now()

    def store(self, workspace: str) -> WorkspaceStore:
        return self.engine.ports.store(workspace)

    @property
    def objects(self) -> Objects:
        """Raises Refused where there is no place for files."""
        return place(self.files)


def place(files: Callable[[], Objects] | None) -> Objects:
    """Where the files lie. Raises Refused where there is no such place."""
    if files is None:
        raise Refused("no_place", "There is no place for files here: set OBJECTS_URL, such as gs://bucket/memex.")
    return files()


def folder(workspace: str, document_id: str) -> str:
    """Where all objects of a document lie."""
    return f"workspaces/{workspace}/documents/{document_id}"


def original(workspace: str, document_id: str) -> str:
    """The object that holds the file itself."""
    return f"{folder(workspace, document_id)}/original"


def artifact(workspace: str, document_id: str, name: str) -> str:
    """The object that holds something made from a document, such as a plot."""
    return f"{folder(workspace, document_id)}/artifacts/{name}"


def operation_of(workspace: str, document: Document) -> str:
    """The operation that extracts a document; one that was deleted and put in again has another."""
    return derived("op", workspace, document.id, document.created_at.isoformat())
