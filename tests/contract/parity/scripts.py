"""The kinds of random scripts, by name."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from infra.local.firestore import wire
from tests.contract.parity import moment_cases, nearest_cases, query_cases, write_cases
from tests.contract.parity.firestore_side import LAST_TRANSACTION
from tests.contract.parity.step import Step
from tests.contract.parity.values import (
    DATABASE,
    ROOT,
    any_paths,
    document,
    few_values,
    numbers,
    paths,
    refused_values,
    strings,
    value,
    values,
)


def _message(kind: str, /, **fields: Any) -> Any:
    return wire.message(kind)(**fields)


def commit(writes: list[Any], transaction: bytes = b"") -> Step:
    return Step("Commit", _message("CommitRequest", database=DATABASE, writes=writes, transaction=transaction))


def state() -> Step:
    """All documents that writes are about, as they are."""
    names = [*write_cases.NAMES]
    return Step("BatchGetDocuments", _message("BatchGetDocumentsRequest", database=DATABASE, documents=names))


def _set(name: str, entries: dict[str, Any]) -> Any:
    return wire.Write(update=document(entries, name))


def _stored(each: Any) -> list[Step]:
    return [commit([_set(write_cases.NAMES[0], {"a": each})]), state()]


# what is written is what is read, or it is refused

documents = st.one_of(values, refused_values).map(_stored)

# the order of all values, as ORDER BY and comparisons have it


def _ordered(held: list[Any], operand: Any, op: int) -> list[Step]:
    writes = [_set(f"{ROOT}/c/{number}", {"a": each}) for number, each in enumerate(held)]
    steps = [commit(writes)]
    for direction in (1, 2):
        query = wire.StructuredQuery()
        query.from_.add().collection_id = "c"
        query.order_by.add(direction=direction).field.field_path = "a"
        steps.append(Step("RunQuery", query_cases.run_query(ROOT, query)))
    filtered = wire.StructuredQuery()
    filtered.from_.add().collection_id = "c"
    filtered.where.field_filter.field.field_path, filtered.where.field_filter.op = "a", op
    filtered.where.field_filter.value.CopyFrom(operand)
    return [*steps, Step("RunQuery", query_cases.run_query(ROOT, filtered))]


_sortable = st.one_of(values, numbers, strings.map(lambda text: value(string_value=text)))
order = st.lists(_sortable, min_size=2, max_size=6).flatmap(
    lambda held: st.builds(_ordered, st.just(held), st.one_of(st.sampled_from(held), _sortable), st.integers(1, 6))
)

# sequences of writes, the state read after each


def _batch_write(writes: list[Any]) -> Step:
    return Step("BatchWrite", _message("BatchWriteRequest", database=DATABASE, writes=writes))


def _masked(message: Any, mask: list[str] | None, field: str = "mask") -> Any:
    if mask is not None:
        getattr(message, field).SetInParent()
        getattr(message, field).field_paths.extend(mask)
    return message


def _create(collection: str, doc_id: str, entries: dict[str, Any], mask: list[str] | None) -> Step:
    request = _message(
        "CreateDocumentRequest", parent=ROOT, collection_id=collection, document_id=doc_id, document=document(entries)
    )
    return Step("CreateDocument", _masked(request, mask))


def _update(write: Any, mask: list[str] | None) -> Step:
    request = _message("UpdateDocumentRequest", document=write.update)
    if write.HasField("update_mask"):
        request.update_mask.CopyFrom(write.update_mask)
    return Step("UpdateDocument", _masked(_conditioned(request, write), mask))


def _delete(write: Any) -> Step:
    return Step("DeleteDocument", _conditioned(_message("DeleteDocumentRequest", name=write.delete), write))


def _conditioned(request: Any, write: Any) -> Any:
    if write.HasField("current_document"):
        request.current_document.CopyFrom(write.current_document)
    return request


_maybe_mask = st.one_of(st.none(), st.none(), st.lists(any_paths, max_size=2))
_few_documents = st.dictionaries(st.sampled_from(["a", "b"]), few_values, max_size=2)
_changes = st.one_of(
    write_cases.batches.map(commit),
    write_cases.batches.map(commit),
    st.lists(st.one_of(write_cases.writes, write_cases.odd_writes), max_size=3).map(_batch_write),
    st.builds(
        _create,
        st.sampled_from(["c", "c", "", "c/1/g", "__x__"]),
        st.sampled_from(["1", "2", "..", "__x__", "a/b", "x" * 1501]),
        _few_documents,
        _maybe_mask,
    ),
    st.builds(_update, write_cases.conditioned(write_cases.updates), _maybe_mask),
    st.one_of(
        write_cases.conditioned(write_cases.deletes),
        st.sampled_from(write_cases.BAD_NAMES).map(lambda n: wire.Write(delete=n)),
    ).map(_delete),
)
sequences = st.lists(_changes, min_size=1, max_size=5).map(lambda found: [s for each in found for s in (each, state())])

# reading by name


def _get(name: str, mask: list[str] | None) -> Step:
    return Step("GetDocument", _masked(_message("GetDocumentRequest", name=name), mask))


def _batch_get(found: list[str], mask: list[str] | None) -> Step:
    request = _message("BatchGetDocumentsRequest", database=DATABASE, documents=found)
    return Step("BatchGetDocuments", _masked(request, mask))


_any_names = st.sampled_from(write_cases.NAMES * 3 + write_cases.BAD_NAMES)
_masks = st.one_of(st.none(), st.lists(st.one_of(paths, any_paths), max_size=3))
_reads = st.one_of(st.builds(_get, _any_names, _masks), st.builds(_batch_get, st.lists(_any_names, max_size=3), _masks))
reads = st.builds(
    lambda held, asked: [commit([_set(name, each) for name, each in held.items()]), *asked],
    st.dictionaries(write_cases.names, write_cases.documents, max_size=3),
    st.lists(_reads, min_size=1, max_size=3),
)

# queries


@st.composite
def corpora(draw: Any) -> Step:
    """Documents with fields that repeat, nest, and are absent here and there."""
    writes = []
    for name in draw(st.lists(st.sampled_from(query_cases.DOCUMENTS), min_size=1, max_size=10, unique=True)):
        entries = {field: draw(few_values) for field in "ab" if draw(st.sampled_from([True, True, True, False]))}
        if draw(st.booleans()):
            entries["n"] = draw(st.dictionaries(st.just("a"), few_values).map(lambda held: _map(held)))
        if draw(st.booleans()):
            entries["t"] = _array(draw(st.lists(st.integers(0, 3), max_size=3)))
        writes.append(_set(name, entries))
    return commit(writes)


def _map(held: dict[str, Any]) -> Any:
    made = value()
    made.map_value.SetInParent()
    for name, each in held.items():
        made.map_value.fields[name].CopyFrom(each)
    return made


def _array(held: list[int]) -> Any:
    return value(array_value=wire.ArrayValue(values=[value(integer_value=n) for n in held]))


def _over_corpus(method: str, requests: Any, most: int = 4) -> Any:
    asked = st.lists(requests.map(lambda request: Step(method, request)), min_size=1, max_size=most)
    return st.builds(lambda corpus, steps: [corpus, *steps], corpora(), asked)


def _collection_ids(parent: str, size: int) -> Any:
    return _message("ListCollectionIdsRequest", parent=parent, page_size=size)


queries = _over_corpus("RunQuery", query_cases.query_requests)
odd_queries = _over_corpus("RunQuery", query_cases.odd_query_requests)
aggregations = _over_corpus("RunAggregationQuery", query_cases.aggregation_requests)
odd_aggregations = _over_corpus("RunAggregationQuery", query_cases.odd_aggregation_requests)
listings = _over_corpus("ListDocuments", query_cases.listings())
collections = _over_corpus(
    "ListCollectionIds",
    st.builds(
        _collection_ids, st.sampled_from([*query_cases.PARENTS, f"{ROOT}/c", ""]), st.sampled_from([0, 1, 5, -1])
    ),
)

# transactions, one at a time; contention_cases.py has those that interleave

_Options: Any = type(_message("BeginTransactionRequest").options)


def _begin(kind: str) -> Step:
    options = _Options()
    if kind:
        getattr(options, kind).SetInParent()
    if kind == "retry":
        options.read_write.retry_transaction = LAST_TRANSACTION
    return Step("BeginTransaction", _message("BeginTransactionRequest", database=DATABASE, options=options))


def _read_within(names: list[str]) -> Step:
    request = _message("BatchGetDocumentsRequest", database=DATABASE, documents=names, transaction=LAST_TRANSACTION)
    return Step("BatchGetDocuments", request)


def _query_within(request: Any) -> Step:
    inside = type(request)()
    inside.CopyFrom(request)
    inside.transaction = LAST_TRANSACTION
    return Step("RunQuery", inside)


def _rollback() -> Step:
    return Step("Rollback", _message("RollbackRequest", database=DATABASE, transaction=LAST_TRANSACTION))


_within = st.one_of(
    st.lists(write_cases.names, min_size=1, max_size=2).map(_read_within),
    query_cases.query_requests.map(_query_within),
)
_end = st.one_of(
    write_cases.batches.map(lambda writes: commit(writes, LAST_TRANSACTION)),
    st.builds(_rollback),
    st.just(commit([], b"x")),
)


def _transaction(kind: str, inside: list[Step], end: Step, after: list[Step]) -> list[Step]:
    return [_begin(kind), *inside, end, *after, _rollback(), state()]


transactions = st.builds(
    lambda first, each: [first, *[s for t in each for s in t]],
    st.dictionaries(write_cases.names, _few_documents, max_size=2).map(
        lambda held: commit([_set(name, each) for name, each in held.items()])
    ),
    st.lists(
        st.builds(
            _transaction,
            st.sampled_from(["read_write", "read_write", "read_only", ""]),
            st.lists(_within, max_size=3),
            _end,
            st.lists(st.one_of(_within, _end), max_size=1),
        ),
        min_size=1,
        max_size=2,
    ),
)

KINDS: dict[str, Any] = {
    "documents": documents,
    "order": order,
    "sequences": sequences,
    "reads": reads,
    "queries": queries,
    "odd queries": odd_queries,
    "aggregations": aggregations,
    "odd aggregations": odd_aggregations,
    "listings": listings,
    "collections": collections,
    "transactions": transactions,
    "moments": moment_cases.moments,
    "nearest": nearest_cases.nearest,
    "odd nearest": nearest_cases.odd_nearest,
}
