"""The client, narrowed to what the store does: get, query, commit, each with a timeout and retries of our own.

The client's retries are switched off: they sleep where no clock of ours sees it, and a commit must not be sent
again before someone has looked whether the first was applied.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, TypeVar, cast

from shared.clock import Clock
from shared.errors import SettingsError, Transient
from shared.faultpoint import faultpoint
from shared.store.errors import Contention, translated
from shared.store.traces import traced
from shared.store.values import plain_fields
from shared.store.writes import Snapshot, Vector, Write

if TYPE_CHECKING:
    from google.cloud.firestore_v1 import Client
    from google.cloud.firestore_v1.base_query import BaseQuery

CALL_SECONDS = 10.0
_CHILDREN_PAGE = 300
READ_TRIES = 4
READ_SECONDS = 12.0
"""No further try after this; with the one under way a read ends in 22 seconds, before any function does."""

T = TypeVar("T")
Filter = tuple[str, str, Any]
Order = tuple[str, str]


@dataclass(frozen=True)
class Query:
    """What to ask for: filters (field, operator, value), orders (field, ASCENDING | DESCENDING), a start, a limit.

    `start_after` holds one value for each order; for `__name__` an id, or the whole path in a group query.
    """

    limit: int
    filters: tuple[Filter, ...] = ()
    orders: tuple[Order, ...] = ()
    start_after: tuple[Any, ...] | None = None
    fields: tuple[str, ...] | None = None
    nearest: Nearest | None = None


@dataclass(frozen=True)
class Nearest:
    """Of what a query finds, the documents whose vector in `field` has the smallest angle to `vector`.

    Their distance (1 minus the cosine) is at most `threshold`, and put into the field `distance`.
    """

    field: str
    vector: tuple[float, ...]
    threshold: float


class Database:
    """Documents below `root` ("workspaces/demo", or "" for all): paths given and returned are relative to it.

    `admit` is asked before each commit and raises where there may be none.
    """

    def __init__(
        self,
        client: Client,
        root: str,
        clock: Clock,
        randomness: random.Random,
        admit: Callable[[], None] | None = None,
    ) -> None:
        self._client, self._root = client, root
        self._clock, self._random = clock, randomness
        self._admit = admit

    def get(self, path: str, fields: Sequence[str] | None = None) -> Snapshot:
        """One document, existing or not, or only those fields. Raises Transient without an answer after some tries."""
        reference = self._document(path)
        return self._retried(lambda: self._snapshot(reference.get(fields, retry=None, timeout=CALL_SECONDS)))

    def get_all(self, paths: Sequence[str], fields: Sequence[str] | None = None) -> list[Snapshot]:
        """Several documents, or only those fields of them, as of one moment, in the order asked."""
        references = [self._document(path) for path in paths]

        def read() -> list[Snapshot]:
            found = self._client.get_all(references, fields, retry=None, timeout=CALL_SECONDS)
            by_path = {snapshot.path: snapshot for snapshot in map(self._snapshot, found)}
            return [by_path[path] for path in paths]

        return self._retried(read)

    def query(self, collection: str, query: Query) -> list[Snapshot]:
        """Documents of one collection."""
        return self._run(self._client.collection(self._absolute(collection)), query)

    def query_group(self, collection_id: str, query: Query) -> list[Snapshot]:
        """Documents of all collections of that name. Only for a database whose root is empty."""
        return self._run(self._client.collection_group(collection_id), query)

    def query_below(self, path: str, collection_id: str, query: Query) -> list[Snapshot]:
        """Documents of all collections of that name below a document, at any depth; ordered by name alone."""
        from google.cloud.firestore_v1.collection import CollectionReference
        from google.cloud.firestore_v1.query import CollectionGroup

        parent: CollectionReference = self._client.collection(f"{self._absolute(path)}/{collection_id}")
        return self._run(CollectionGroup(parent), query)

    def collection_ids(self, path: str) -> list[str]:
        """The names of the collections right below a document, which need not exist itself."""
        reference = self._document(path)
        return self._retried(lambda: [each.id for each in reference.collections(retry=None, timeout=CALL_SECONDS)])

    def children(self, collection: str, limit: int) -> list[str]:
        """Ids in a collection, also of documents that are missing and only have something below them."""
        reference = self._client.collection(self._absolute(collection))

        def read() -> list[str]:
            found = reference.list_documents(page_size=min(limit, _CHILDREN_PAGE), retry=None, timeout=CALL_SECONDS)
            return [each.id for each in itertools.islice(found, limit)]

        return self._retried(read)

    def commit(self, writes: Iterable[Write], point: str) -> datetime:
        """All writes or none, sent once; returns the update time of the first.

        Raises Contention when a precondition failed, Uncertain when it is not known whether it was applied, and what
        `admit` raises.
        """
        if self._admit is not None:
            self._admit()
        batch = self._client.batch()
        for write in traced(writes):
            self._add(batch, write)
        faultpoint(f"before_commit:{point}")
        with translated():
            results = batch.commit(retry=None, timeout=CALL_SECONDS)
        faultpoint(f"after_commit:{point}")
        moment: Any = results[0].update_time or batch.commit_time
        return cast(datetime, moment)

    def pause(self, attempt: int) -> None:
        """Wait before the next try: longer each time, and not as long as the others who wait."""
        self._clock.sleep(min(2.0, 0.05 * 2**attempt) * self._random.uniform(0.5, 1.5))

    def _retried(self, read: Callable[[], T]) -> T:
        begun = self._clock.now()
        for attempt in range(READ_TRIES):
            try:
                with translated():
                    return read()
            except Transient:
                if attempt == READ_TRIES - 1 or (self._clock.now() - begun).total_seconds() > READ_SECONDS:
                    raise
                self.pause(attempt)
        raise AssertionError("the last try returns or raises")

    def _run(self, start: Any, query: Query) -> list[Snapshot]:
        prepared: Any = self._prepared(start, query)
        try:
            return self._retried(
                lambda: [self._snapshot(found) for found in prepared.get(retry=None, timeout=CALL_SECONDS)]
            )
        except Contention as error:
            fields = ", ".join(name for name, *_ in (*query.filters, *query.orders))
            raise SettingsError(f"Deploy infra/firestore.indexes.json: no index for a query on {fields}") from error

    def _prepared(self, start: Any, query: Query) -> BaseQuery:
        from google.cloud.firestore_v1.base_query import FieldFilter

        prepared = start
        for field, operator, value in query.filters:
            prepared = prepared.where(filter=FieldFilter(field, operator, value))
        for field, direction in query.orders:
            prepared = prepared.order_by(field, direction=direction)
        if query.fields is not None:
            prepared = prepared.select(query.fields)
        if query.start_after is not None:
            values = zip(query.orders, query.start_after, strict=True)
            prepared = prepared.start_after({field: self._cursor(field, value) for (field, _), value in values})
        if query.nearest is not None:
            return self._nearest(prepared, query.nearest, query.limit)
        limited: BaseQuery = prepared.limit(query.limit)
        return limited

    @staticmethod
    def _nearest(prepared: Any, nearest: Nearest, limit: int) -> BaseQuery:
        from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
        from google.cloud.firestore_v1.vector import Vector as Theirs

        near: Any = prepared.find_nearest(
            vector_field=nearest.field,
            query_vector=Theirs(nearest.vector),
            distance_measure=DistanceMeasure.COSINE,
            limit=limit,
            distance_threshold=nearest.threshold,
            distance_result_field="distance",
        )
        return cast("BaseQuery", near)

    def _cursor(self, field: str, value: Any) -> Any:
        return self._document(value) if field == "__name__" and "/" in value else value

    def _add(self, batch: Any, write: Write) -> None:
        reference = self._document(write.path)
        option = None
        if write.update_time is not None:
            option = self._client.write_option(last_update_time=write.update_time)
        if write.kind == "create":
            batch.create(reference, _storable(write.fields))
        elif write.kind == "set":
            batch.set(reference, _storable(write.fields))
        elif write.kind == "add":
            batch.set(reference, _increments(write.fields), merge=True)
        elif write.kind == "update":
            batch.update(reference, _storable(write.fields), option=option)
        else:
            batch.delete(reference, option=option)

    def _document(self, path: str) -> Any:
        return self._client.document(self._absolute(path))

    def _absolute(self, path: str) -> str:
        """The root itself is named by the empty path."""
        return "/".join(filter(None, (self._root, path)))

    def _snapshot(self, found: Any) -> Snapshot:
        path = found.reference.path
        fields: Mapping[str, Any] | None = plain_fields(found.to_dict()) if found.exists else None
        return Snapshot(
            path=path[len(self._root) + 1 :] if self._root else path,
            fields=fields,
            update_time=_moment(found.update_time),
            create_time=_moment(found.create_time),
            read_time=_moment(found.read_time) or self._clock.now(),
        )


def _storable(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields as the client takes them."""
    if not any(isinstance(value, Vector) for value in fields.values()):
        return dict(fields)
    from google.cloud.firestore_v1.vector import Vector as Theirs

    return {name: Theirs(value.values) if isinstance(value, Vector) else value for name, value in fields.items()}


def _increments(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers, in maps or not, as what is added to them; what is no number is set."""
    from google.cloud.firestore_v1 import Increment

    def increment(value: Any) -> Any:
        if isinstance(value, Mapping):
            return _increments(value)
        return Increment(value) if isinstance(value, int | float) else value

    return {name: increment(value) for name, value in fields.items()}


def _moment(value: Any) -> datetime | None:
    """A time of a snapshot. The client gives a protobuf Timestamp where a query has found the document."""
    as_datetime = getattr(value, "ToDatetime", None)
    return cast("datetime | None", value if as_datetime is None else as_datetime(tzinfo=timezone.utc))
