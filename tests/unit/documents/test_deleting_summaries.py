"""What was made of a document goes with it."""

from __future__ import annotations

from google.cloud.firestore_v1 import Client

from shared.contracts.memory import TreeSummary
from shared.store import paths
from tests.unit.documents.shelf import Shelf


def test_the_summaries_of_a_deleted_document_are_gone(firestore: Client, shelf: Shelf) -> None:
    document = shelf.put("lease.txt", b"Three months' notice.")
    fields = TreeSummary(
        document_id=document.id, level=1, n=0, text="Notice.", covers=(0, 0), created_at=document.created_at
    ).model_dump()
    firestore.document(f"workspaces/{shelf.workspace}/{paths.tree_summary(document.id, 1, 0)}").set(fields)
    assert shelf.store.summaries.whole(document.id) is not None
    shelf.documents.delete(shelf.workspace, document.id)
    assert shelf.store.summaries.whole(document.id) is None
