"""Random interleavings of transactions and plain writes on three documents, each step taken by one of four actors."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from infra.local.firestore import wire
from tests.contract.parity.firestore_side import LAST_TRANSACTION
from tests.contract.parity.query_cases import run_query
from tests.contract.parity.serial import EQUAL, GREATER
from tests.contract.parity.step import Script, Step
from tests.contract.parity.values import DATABASE, ROOT, document, value

ACTORS = 4
"""The first asks outside of transactions, each other one has one transaction at a time."""
NAMES = [f"{ROOT}/c/{number}" for number in "123"]
_names = st.sampled_from(NAMES)
_numbers = st.integers(0, 2)


def _message(kind: str, /, **fields: Any) -> Any:
    return wire.message(kind)(**fields)


def _set(name: str, number: int) -> Any:
    return wire.Write(update=document({"a": value(integer_value=number)}, name))


_sets = st.builds(_set, _names, _numbers)
_writes = st.lists(
    st.one_of(_sets, _sets, _names.map(lambda name: wire.Write(delete=name))),
    min_size=1,
    max_size=2,
    unique_by=lambda write: write.delete or write.update.name,
)


def _commit(actor: int, writes: list[Any]) -> Step:
    inside = LAST_TRANSACTION if actor else b""
    return Step("Commit", _message("CommitRequest", database=DATABASE, writes=writes, transaction=inside), actor)


def _begin(actor: int, kind: str) -> Step:
    request = _message("BeginTransactionRequest", database=DATABASE)
    if kind == "read_only":
        request.options.read_only.SetInParent()
    else:
        request.options.read_write.SetInParent()
    if kind == "retry":
        request.options.read_write.retry_transaction = LAST_TRANSACTION
    return Step("BeginTransaction", request, actor)


def _get(actor: int, names: list[str]) -> Step:
    request = _message("BatchGetDocumentsRequest", database=DATABASE, documents=names, transaction=LAST_TRANSACTION)
    return Step("BatchGetDocuments", request, actor)


def _query(actor: int, op: int, number: int, limit: int) -> Step:
    query = wire.StructuredQuery()
    query.from_.add().collection_id = "c"
    if op:
        query.where.field_filter.field.field_path, query.where.field_filter.op = "a", op
        query.where.field_filter.value.integer_value = number
    if limit:
        query.limit.value = limit
    request = run_query(ROOT, query)
    request.transaction = LAST_TRANSACTION
    return Step("RunQuery", request, actor)


def _list(actor: int) -> Step:
    request = _message("ListDocumentsRequest", parent=ROOT, collection_id="c", transaction=LAST_TRANSACTION)
    return Step("ListDocuments", request, actor)


def rollback(actor: int) -> Step:
    """The end of what is under way without a change."""
    return Step("Rollback", _message("RollbackRequest", database=DATABASE, transaction=LAST_TRANSACTION), actor)


def _inside(actor: int) -> Any:
    """The next step of a transaction under way."""
    read = st.one_of(
        st.lists(_names, min_size=1, max_size=2, unique=True).map(lambda names: _get(actor, names)),
        st.builds(_query, st.just(actor), st.sampled_from([0, EQUAL, GREATER]), _numbers, st.sampled_from([0, 0, 1])),
        st.just(_list(actor)),
    )
    commit = _writes.map(lambda writes: _commit(actor, writes))
    return st.one_of(read, read, commit, commit, st.just(rollback(actor)), st.just(_commit(actor, [])))


@st.composite
def interleavings(draw: Any) -> Script:
    """Steps that all make sense for who takes them; whoever is under way at the end rolls back."""
    script = [_commit(0, draw(_writes))]
    under_way: set[int] = set()
    begun: dict[int, str] = {}
    for _ in range(draw(st.integers(3, 14))):
        actor = draw(st.integers(0, ACTORS - 1))
        if actor == 0:
            script.append(_commit(0, draw(_writes)))
        elif actor not in under_way:
            again = ["retry", "retry"] if begun.get(actor, "read_only") != "read_only" else []
            begun[actor] = draw(st.sampled_from(["read_write", "read_write", "read_write", "read_only", *again]))
            under_way.add(actor)
            script.append(_begin(actor, begun[actor]))
        else:
            script.append(draw(_inside(actor)))
            if _ends(script[-1], begun[actor]):
                under_way.discard(actor)
    return [*script, *map(rollback, sorted(under_way))]


def _ends(step: Step, kind: str) -> bool:
    refused = kind == "read_only" and step.method == "Commit" and step.request.writes
    return step.method in ("Commit", "Rollback") and not refused
