"""An engine without a gRPC server, and short ways to write and to ask."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from google.cloud.firestore_v1 import _helpers

from infra.local.clock import VirtualClock
from infra.local.firestore import wire
from infra.local.firestore.commits import Commits
from infra.local.firestore.documents import Documents
from infra.local.firestore.engine import Engine
from infra.local.firestore.queries import Queries
from infra.local.meter import Meter

DATABASE = "projects/p/databases/(default)"
ROOT = f"{DATABASE}/documents"


def value_of(python: Any) -> Any:
    """A raw Value."""
    return _helpers.encode_value(python)._pb


def fields_of(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value_of(value) for name, value in data.items()}


def update(path: str, data: Mapping[str, Any], *mask: str) -> Any:
    """A raw Write that sets a document, or only the fields of a mask."""
    write = wire.Write()
    write.update.name = f"{ROOT}/{path}"
    for name, value in data.items():
        write.update.fields[name].CopyFrom(value_of(value))
    if mask:
        write.update_mask.field_paths.extend(mask)
    return write


def delete(path: str) -> Any:
    return wire.Write(delete=f"{ROOT}/{path}")


class Local:
    """The methods of the service, called directly."""

    def __init__(self, folder: Path, clock: VirtualClock | None = None) -> None:
        self.clock = clock or VirtualClock()
        self.meter = Meter()
        self.engine = Engine(folder / "f.sqlite", self.clock, self.meter, folder / "indexes.json")
        self.commits, self.queries = Commits(self.engine), Queries(self.engine)
        self.documents = Documents(self.engine, lambda: "id")

    def commit(self, *writes: Any, transaction: bytes = b"") -> Any:
        request = wire.message("CommitRequest")(database=DATABASE, writes=writes, transaction=transaction)
        return wire.message("CommitResponse").FromString(self.commits.commit(request, None))

    def begin(self, retry_of: bytes = b"") -> bytes:
        request = wire.message("BeginTransactionRequest")(database=DATABASE)
        if retry_of:
            request.options.read_write.retry_transaction = retry_of
        response = wire.message("BeginTransactionResponse").FromString(self.commits.begin(request, None))
        return bytes(response.transaction)

    def get(self, path: str, transaction: bytes = b"") -> dict[str, Any] | None:
        request = wire.message("BatchGetDocumentsRequest")(database=DATABASE, documents=[f"{ROOT}/{path}"])
        if transaction:
            request.transaction = transaction
        (body,) = self.documents.batch_get(request, None)
        response = wire.message("BatchGetDocumentsResponse").FromString(body)
        if response.WhichOneof("result") == "missing":
            return None
        return {name: python_of(value) for name, value in response.found.fields.items()}

    def ids(self, query: Any, transaction: bytes = b"") -> list[str]:
        request = wire.message("RunQueryRequest")(parent=ROOT, structured_query=query)
        if transaction:
            request.transaction = transaction
        responses = map(wire.message("RunQueryResponse").FromString, self.queries.run(request, None))
        return [each.document.name.rsplit("/", 1)[1] for each in responses if each.document.name]

    def count(self, query: Any) -> int:
        request = wire.message("RunAggregationQueryRequest")(parent=ROOT)
        request.structured_aggregation_query.structured_query.CopyFrom(query)
        request.structured_aggregation_query.aggregations.add(alias="n").count.SetInParent()
        (body,) = self.queries.aggregate(request, None)
        response = wire.message("RunAggregationQueryResponse").FromString(body)
        return int(response.result.aggregate_fields["n"].integer_value)


def python_of(value: Any) -> Any:
    """The plain types only."""
    kind = value.WhichOneof("value_type")
    if kind == "map_value":
        return {name: python_of(child) for name, child in value.map_value.fields.items()}
    if kind == "array_value":
        return [python_of(child) for child in value.array_value.values]
    return None if kind == "null_value" else getattr(value, kind)


def query_of(collection: str, *conditions: tuple[str, int, Any], order: str = "", limit: int = 0) -> Any:
    """A StructuredQuery of ANDed (field, operator number, value) conditions."""
    query = wire.StructuredQuery()
    query.from_.add(collection_id=collection)
    if conditions:
        query.where.composite_filter.op = 1
    for field, op, value in conditions:
        leaf = query.where.composite_filter.filters.add().field_filter
        leaf.field.field_path, leaf.op = field, op
        leaf.value.CopyFrom(value_of(value))
    for each in order.split():
        clause = query.order_by.add(direction=2 if each.startswith("-") else 1)
        clause.field.field_path = each.lstrip("-")
    if limit:
        query.limit.value = limit
    return query
