"""Conflicts abort, retries get their turn, and the forgotten expire by the clock."""

from __future__ import annotations

import struct
import threading
from datetime import timedelta

import grpc
import pytest

from infra.local.rpc import RpcError
from tests.unit.local.firestore.harness import Local, query_of, update

GREATER = 3


def refusal(local: Local, transaction: bytes, *writes: object) -> grpc.StatusCode:
    with pytest.raises(RpcError) as refused:
        local.commit(*writes, transaction=transaction)
    return refused.value.code


def test_a_document_read_and_changed_since_aborts_the_commit(local: Local) -> None:
    local.commit(update("t/x", {"n": 1}))
    transaction = local.begin()
    local.get("t/x", transaction)
    local.commit(update("t/x", {"n": 2}))
    assert refusal(local, transaction, update("t/y", {})) is grpc.StatusCode.ABORTED
    assert local.get("t/y") is None


def test_a_document_found_missing_and_made_since_aborts_the_commit(local: Local) -> None:
    transaction = local.begin()
    assert local.get("t/x", transaction) is None
    local.commit(update("t/x", {"n": 2}))
    assert refusal(local, transaction, update("t/x", {})) is grpc.StatusCode.ABORTED


def test_a_change_to_something_else_does_not_abort(local: Local) -> None:
    transaction = local.begin()
    local.get("t/x", transaction)
    local.commit(update("t/other", {"n": 2}))
    local.commit(update("t/x", {"n": 1}), transaction=transaction)
    assert local.get("t/x") == {"n": 1}


@pytest.mark.parametrize(("written", "aborts"), [({"n": 5}, True), ({"n": -5}, False)])
def test_a_query_aborts_when_its_results_change_and_only_then(
    local: Local, written: dict[str, int], aborts: bool
) -> None:
    local.commit(update("t/x", {"n": 1}))
    transaction = local.begin()
    assert local.ids(query_of("t", ("n", GREATER, 0)), transaction) == ["x"]
    local.commit(update("t/phantom", written))
    if aborts:
        assert refusal(local, transaction, update("t/y", {})) is grpc.StatusCode.ABORTED
    else:
        local.commit(update("t/y", {}), transaction=transaction)


def test_all_reads_see_one_state_when_what_was_read_has_changed(local: Local) -> None:
    local.commit(update("t/x", {"n": 1}), update("t/gone", {"n": 1}))
    transaction = local.begin()
    assert local.get("t/x", transaction) == {"n": 1}
    local.commit(update("t/x", {"n": 2}), update("t/new", {"n": 3}))
    assert local.get("t/x", transaction) == {"n": 1}
    assert local.get("t/new", transaction) is None
    assert local.ids(query_of("t", ("n", GREATER, 0)), transaction) == ["gone", "x"]


def test_reads_see_the_newest_state_while_what_was_read_holds(local: Local) -> None:
    local.commit(update("t/x", {"n": 1}))
    transaction = local.begin()
    assert local.get("t/x", transaction) == {"n": 1}
    local.commit(update("t/y", {"n": 2}))
    assert local.get("t/y", transaction) == {"n": 2}
    local.commit(update("t/x", {"n": 3}), transaction=transaction)


@pytest.mark.parametrize("other", [b"nonsense", struct.pack(">QQ", 2**63, 1)])
def test_only_a_transaction_is_tried_again(local: Local, other: bytes) -> None:
    with pytest.raises(RpcError, match="no longer valid"):
        local.begin(retry_of=other)


def test_a_retry_keeps_others_from_its_documents_until_it_ends(local: Local) -> None:
    local.commit(update("t/x", {"n": 1}))
    first = local.begin()
    local.get("t/x", first)
    local.commit(update("t/x", {"n": 2}))
    refusal(local, first, update("t/x", {"n": 0}))
    retry = local.begin(retry_of=first)
    assert local.get("t/x", retry) == {"n": 2}
    other = threading.Thread(target=local.commit, args=(update("t/x", {"n": 3}),))
    other.start()
    local.commit(update("t/x", {"n": 10}), transaction=retry)
    other.join(10)
    changes = [change.new.fields["n"].integer_value for change in local.engine.log.after(0, 9)]
    assert changes == [1, 2, 10, 3]


@pytest.mark.parametrize(("steps", "expires"), [([61], True), ([50, 50], False), ([55] * 5, True)])
def test_a_transaction_expires_when_idle_or_old(local: Local, steps: list[int], expires: bool) -> None:
    transaction = local.begin()
    for seconds in steps[:-1]:
        _pass(local, seconds)
        local.get("t/x", transaction)
    _pass(local, steps[-1])
    if expires:
        assert refusal(local, transaction) is grpc.StatusCode.INVALID_ARGUMENT
    else:
        local.commit(transaction=transaction)


def test_a_dead_retry_holds_nobody_up(local: Local) -> None:
    local.commit(update("t/x", {"n": 1}))
    first = local.begin()
    local.get("t/x", first)
    local.commit(update("t/x", {"n": 2}))
    refusal(local, first, update("t/x", {"n": 0}))
    local.get("t/x", local.begin(retry_of=first))
    _pass(local, 61)
    local.commit(update("t/x", {"n": 3}))
    assert local.get("t/x") == {"n": 3}


def _pass(local: Local, seconds: float) -> None:
    passed = threading.Event()
    local.clock.call_later(seconds, passed.set, "test")
    assert local.clock.run_until(passed.is_set, limit=timedelta(hours=1))
