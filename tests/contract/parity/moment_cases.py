"""Random reads of earlier moments: by name, by query, listed, aggregated, and in read-only transactions."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from infra.local.firestore import wire
from tests.contract.parity import query_cases
from tests.contract.parity.firestore_side import JUST_BEFORE, LAST_TRANSACTION, MOMENTS
from tests.contract.parity.step import Script, Step
from tests.contract.parity.values import DATABASE, document, few_values

_EARLIEST, _LATEST = 1_000_000_000, 4_000_000_000
_moments = st.one_of(
    st.builds(
        lambda base, number, nanos: wire.Timestamp(seconds=base + number, nanos=nanos),
        st.sampled_from([MOMENTS, MOMENTS, JUST_BEFORE]),
        st.integers(0, 3),
        st.sampled_from([0, 0, 0, 0, 1_000, 1]),
    ),
    st.sampled_from([wire.Timestamp(seconds=_LATEST), wire.Timestamp(seconds=-1)]),
)


def _message(kind: str, /, **fields: Any) -> Any:
    return wire.message(kind)(**fields)


def _commit(writes: list[Any]) -> Step:
    return Step("Commit", _message("CommitRequest", database=DATABASE, writes=writes))


_documents = st.dictionaries(st.sampled_from(["a", "b"]), few_values, max_size=2)
_names = st.sampled_from(query_cases.DOCUMENTS[:3] + query_cases.DOCUMENTS[-4:])
_writes = st.one_of(
    st.builds(lambda name, entries: wire.Write(update=document(entries, name)), _names, _documents),
    st.builds(lambda name, entries: wire.Write(update=document(entries, name)), _names, _documents),
    _names.map(lambda name: wire.Write(delete=name)),
)
_commits = st.lists(_writes, min_size=1, max_size=3, unique_by=lambda w: w.delete or w.update.name).map(_commit)

_reads = st.one_of(
    _names.map(lambda name: Step("GetDocument", _message("GetDocumentRequest", name=name))),
    st.lists(_names, min_size=1, max_size=3).map(
        lambda names: Step(
            "BatchGetDocuments", _message("BatchGetDocumentsRequest", database=DATABASE, documents=names)
        )
    ),
    query_cases.query_requests.map(lambda request: Step("RunQuery", request)),
    query_cases.aggregation_requests.map(lambda request: Step("RunAggregationQuery", request)),
    query_cases.listings().map(lambda request: Step("ListDocuments", request)),
    st.sampled_from(query_cases.PARENTS).map(
        lambda parent: Step("ListCollectionIds", _message("ListCollectionIdsRequest", parent=parent))
    ),
)


def _at(step: Step, moment: Any) -> Step:
    request = type(step.request)()
    request.CopyFrom(step.request)
    request.read_time.CopyFrom(moment)
    return Step(step.method, request)


def _within(step: Step) -> Step:
    if "transaction" not in step.request.DESCRIPTOR.fields_by_name:
        return step
    request = type(step.request)()
    request.CopyFrom(step.request)
    request.transaction = LAST_TRANSACTION
    return Step(step.method, request)


def _transaction(moment: Any, reads: list[Step], more: Script) -> Script:
    request = _message("BeginTransactionRequest", database=DATABASE)
    request.options.read_only.SetInParent()
    if moment is not None:
        request.options.read_only.read_time.CopyFrom(moment)
    inside = [_within(each) for each in reads]
    return [Step("BeginTransaction", request), *inside, *more, *inside]


_steps = st.one_of(
    st.builds(_at, _reads, _moments).map(lambda step: [step]),
    st.builds(_at, _reads, _moments).map(lambda step: [step]),
    _commits.map(lambda step: [step]),
    st.builds(
        _transaction,
        st.one_of(st.none(), _moments),
        st.lists(_reads, min_size=1, max_size=2),
        st.lists(_commits, max_size=1),
    ),
)
moments = st.builds(
    lambda first, more: [*first, *(step for each in more for step in each)],
    st.lists(_commits, min_size=1, max_size=3),
    st.lists(_steps, min_size=1, max_size=4),
)
