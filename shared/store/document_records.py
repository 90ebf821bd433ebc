"""workspaces/{workspace}/documents: what is known of each file that was put in; its text is in chunks.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from shared.contracts.documents import Document
from shared.errors import NotFound
from shared.store import paths
from shared.store.changing import Change, Changed, Changing
from shared.store.database import Database
from shared.store.documents import parsed, well_formed
from shared.store.pages import cursor_of, newest_first
from shared.store.writes import Snapshot, Write, delete, update

DecideDocument = Callable[[Document | None, Snapshot], Change | None]


class DocumentRecords:
    def __init__(self, database: Database, changing: Changing) -> None:
        self._database, self._changing = database, changing

    def look(self, document_id: str) -> Document | None:
        """Also one that is being deleted. Raises Malformed."""
        return _document_of(self._database.get(paths.document(document_id)))

    def get(self, document_id: str) -> Document:
        """Raises NotFound, also for one that is being deleted."""
        found = self.look(document_id)
        if found is None or found.deleting:
            raise NotFound(f"There is no document {document_id}.")
        return found

    def several(self, document_ids: list[str]) -> dict[str, Document]:
        """Those of them that are there, by id; a malformed one is left out."""
        found = self._database.get_all([paths.document(one) for one in document_ids]) if document_ids else []
        there = (one for one in found if one.fields is not None)
        return {one.id: one for one in well_formed(Document, there) if not one.deleting}

    def list(self, *, limit: int, cursor: str | None = None) -> tuple[tuple[Document, ...], str | None]:
        """A page, newest first, and the cursor of the next. Raises InputError for a cursor that is none."""
        found = self._database.query("documents", newest_first((), limit + 1, cursor))
        page = found[:limit]
        documents = tuple(one for one in well_formed(Document, page) if not one.deleting)
        return documents, cursor_of(page[-1].fields or {}, page[-1].id) if len(found) > limit else None

    def change(self, document_id: str, decide: DecideDocument, *, point: str) -> Changed:
        """Write what `decide` answers to the document as it is; see Changing.change."""
        return self._changing.change(
            paths.document(document_id), lambda found: decide(_document_of(found), found), point=point
        )

    def remove(self, document_id: str) -> None:
        """Take the record away."""
        self._database.commit([delete(paths.document(document_id))], "document.remove")


def changing(document_id: str, fields: Mapping[str, Any]) -> Write:
    """The write that sets these fields of a document that is there, for a commit of several."""
    return update(paths.document(document_id), fields)


def _document_of(found: Snapshot) -> Document | None:
    return None if found.fields is None else parsed(Document, found.fields, found.path)
