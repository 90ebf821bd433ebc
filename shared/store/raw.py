"""Documents of a workspace as they are stored, whatever they are: read in the order of their paths, and created.

For moving a workspace as a whole. Values keep their types (typed.py); paths lie below the workspace.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from shared.errors import Conflict, InputError
from shared.store.database import CALL_SECONDS
from shared.store.errors import Contention, translated
from shared.store.typed import fields_from, to_json

if TYPE_CHECKING:
    from google.cloud.firestore_v1 import Client, DocumentSnapshot

PAGE_SECONDS = 60.0


class SnapshotGone(Conflict):
    """The moment that was asked for lies too far back: the database keeps an hour."""

    code = "snapshot_gone"


@dataclass(frozen=True)
class RawDocument:
    """A document with its fields as typed JSON. `update_time` is None for one that is not stored."""

    path: str
    fields: Mapping[str, Any]
    update_time: datetime | None = None

    def having(self, **fields: Any) -> RawDocument:
        """The same with these fields set."""
        return replace(self, fields={**self.fields, **fields})


class RawDocuments:
    """`admit` is asked before each write and raises where there may be none."""

    def __init__(self, client: Client, workspace: str, admit: Callable[[], None] | None = None) -> None:
        self._client, self.admit = client, admit or (lambda: None)
        self.root = f"workspaces/{workspace}"

    def now(self) -> datetime:
        """The database's moment of now, at which everything can be read for an hour."""
        with translated():
            found = self._client.document(self.root).get(retry=None, timeout=CALL_SECONDS)
        moment: Any = found.read_time
        return _utc(moment)

    def tops(self) -> list[str]:
        """The collections directly below the workspace."""
        with translated():
            found = self._client.document(self.root).collections(retry=None, timeout=CALL_SECONDS)
            return sorted(one.id for one in found)

    def anything_in(self, collection: str) -> bool:
        """Whether a top collection has a document."""
        query: Any = self._client.collection(f"{self.root}/{collection}").limit(1)
        with translated():
            return bool(query.get(retry=None, timeout=CALL_SECONDS))

    def walk(
        self, collection_id: str, *, after: str | None, limit: int, at: datetime
    ) -> Generator[RawDocument, None, None]:
        """Documents of all collections of that id, in the order of their paths, as they were at that moment.

        Close it to read no further. Raises SnapshotGone, InputError for a moment that is none, Transient.
        """
        from google.cloud.firestore_v1.query import CollectionGroup

        query: Any = CollectionGroup(self._client.collection(f"{self.root}/{collection_id}")).order_by("__name__")
        if after is not None:
            query = query.start_after({"__name__": self._client.document(f"{self.root}/{after}")})
        try:
            with (
                _snapshot(),
                closing(query.limit(limit).stream(retry=None, timeout=PAGE_SECONDS, read_time=at)) as found,
            ):
                for one in found:
                    yield self._raw(one)
        except InputError as error:  # of the question only the moment is the caller's
            raise InputError("at: give the moment that GET export has answered", field="at") from error

    def where(self, collection: str, field: str, values: Sequence[Any], at: datetime) -> list[RawDocument]:
        """Documents of a top collection whose field has one of the values, as they were at that moment."""
        from google.cloud.firestore_v1.base_query import FieldFilter

        start: Any = self._client.collection(f"{self.root}/{collection}")
        query = start.where(filter=FieldFilter(field, "in", list(values)))
        with _snapshot():
            return [self._raw(one) for one in query.get(retry=None, timeout=PAGE_SECONDS, read_time=at)]

    def read(
        self, paths: Iterable[str], at: datetime | None = None, fields: Sequence[str] | None = None
    ) -> dict[str, RawDocument]:
        """Those of the documents that there are, or only those fields of them, by path; `at` None is now."""
        references = [self._client.document(self._absolute(path)) for path in dict.fromkeys(paths)]
        if not references:
            return {}
        with _snapshot():
            found = self._client.get_all(references, fields, retry=None, timeout=PAGE_SECONDS, read_time=at)
            return {raw.path: raw for raw in (self._raw(one) for one in found if one.exists)}

    def create(self, documents: Iterable[RawDocument]) -> None:
        """All of them or none, sent once. Raises Contention where one is there, Uncertain, InputError."""
        self.admit()
        batch = self._client.batch()
        for one in documents:
            batch.create(self._client.document(self._absolute(one.path)), fields_from(one.fields, self._refer))
        with translated():
            batch.commit(retry=None, timeout=PAGE_SECONDS)

    def put(self, document: RawDocument) -> None:
        """The whole document, whatever was there."""
        self.admit()
        with translated():
            self._client.document(self._absolute(document.path)).set(
                fields_from(document.fields, self._refer), retry=None, timeout=CALL_SECONDS
            )

    def check(self, document: RawDocument) -> None:
        """Raises InputError where a value is none."""
        fields_from(document.fields, self._refer)

    def _refer(self, path: str) -> Any:
        whole = path[1:] if path.startswith("/") else f"{self.root}/{path}"
        return self._client.document(whole)

    def _absolute(self, path: str) -> str:
        return f"{self.root}/{path}" if path else self.root

    def _raw(self, found: DocumentSnapshot[Any]) -> RawDocument:
        path = found.reference.path[len(self.root) + 1 :]
        fields: dict[str, Any] = found.to_dict() or {}
        typed = {name: to_json(value, self.root) for name, value in fields.items()}
        return RawDocument(path, typed, _utc(found.update_time) if found.update_time is not None else None)


def _utc(value: Any) -> datetime:
    """A time of a snapshot: a datetime, or a protobuf Timestamp where a query has found the document."""
    as_datetime = getattr(value, "ToDatetime", None)
    moment: datetime = value if as_datetime is None else as_datetime(tzinfo=timezone.utc)
    return datetime.fromtimestamp(0, timezone.utc) + (moment - datetime.fromtimestamp(0, timezone.utc))


@contextmanager
def _snapshot() -> Iterator[None]:
    """Inside, a refusal of the moment that is read at is told as such: nothing else of a read is a precondition."""
    try:
        with translated():
            yield
    except Contention as error:
        raise SnapshotGone("The export has taken longer than the database keeps its past: begin anew.") from error
