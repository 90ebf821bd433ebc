"""Firestore for who is in the same process: the service's own methods without gRPC, and wiping everything."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from infra.local.firestore import names, wire
from infra.local.firestore.documents import Documents
from infra.local.firestore.engine import Engine
from infra.local.firestore.listing import Listing
from infra.local.meter import Meter

WIPED_AT_ONCE = 500


class Inside:
    """Reads are not counted, as nobody pays for looking; writes are commits like any other. All raise RpcError."""

    def __init__(self, engine: Engine, new_id: Callable[[], str]) -> None:
        self._engine = engine
        reading = copy.copy(engine)
        reading.meter = Meter()
        self._documents, self._listing = Documents(reading, new_id), Listing(reading)

    def databases(self) -> list[str]:
        """The full names of the databases that have or had documents."""
        return sorted({collection.database for collection in self._engine.store.collections()})

    def last_change(self) -> int:
        """The number of the newest change: as long as it stays, so do all documents."""
        return self._engine.log.last_seq()

    def get(self, name: str) -> Any:
        """The raw Document. NOT_FOUND."""
        request = wire.message("GetDocumentRequest")(name=name)
        return wire.parse_document(self._documents.get(request, None))  # type: ignore[arg-type]

    def page(self, parent: str, collection: str, size: int, token: str) -> tuple[Sequence[Any], str]:
        """One page of a collection's raw Documents, and the next page's token.

        Documents that are missing but have others below them are in it, without times.
        """
        request = wire.message("ListDocumentsRequest")(
            parent=parent, collection_id=collection, page_size=size, page_token=token, show_missing=True
        )
        answer = self._listing.list_documents(request, None)  # type: ignore[arg-type]
        found = wire.message("ListDocumentsResponse").FromString(answer)
        return found.documents, found.next_page_token

    def collections(self, parent: str) -> Sequence[str]:
        """The ids of the collections below a document, or below the root of the documents."""
        request = wire.message("ListCollectionIdsRequest")(parent=parent)
        answer = self._documents.list_collection_ids(request, None)  # type: ignore[arg-type]
        ids: Sequence[str] = wire.message("ListCollectionIdsResponse").FromString(answer).collection_ids
        return ids

    def create(self, parent: str, collection: str, document_id: str, document: Any) -> Any:
        """CreateDocument; without an id one is made. The raw Document. ALREADY_EXISTS."""
        request = wire.message("CreateDocumentRequest")(
            parent=parent, collection_id=collection, document_id=document_id, document=document
        )
        return wire.parse_document(self._documents.create(request, None))  # type: ignore[arg-type]

    def replace(self, document: Any, update_time: Any) -> Any:
        """UpdateDocument of all fields; the raw Document. FAILED_PRECONDITION when it is not of that time any more."""
        request = wire.message("UpdateDocumentRequest")(
            document=document, current_document={"update_time": update_time}
        )
        return wire.parse_document(self._documents.update(request, None))  # type: ignore[arg-type]

    def delete(self, name: str, update_time: Any) -> None:
        """DeleteDocument. FAILED_PRECONDITION when it is not of that time any more."""
        request = wire.message("DeleteDocumentRequest")(name=name, current_document={"update_time": update_time})
        self._documents.delete(request, None)  # type: ignore[arg-type]

    def wipe(self) -> int:
        """Delete every document of every database, and what the change log remembers of them; how many there were.

        Listeners see the deletions. Who acts on changes acts on these too, unless it is kept from it.
        """
        found = self._engine.store.document_names()
        for database in {names.parse(name).database for name in found}:
            mine = [name for name in found if name.startswith(f"{database}/documents/")]
            for at in range(0, len(mine), WIPED_AT_ONCE):
                writes = [wire.Write(delete=name) for name in mine[at : at + WIPED_AT_ONCE]]
                self._engine.committer.commit(writes)
        self._engine.log.forget_contents(self._engine.log.last_seq())
        return len(found)
