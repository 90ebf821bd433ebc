"""Transactions: what is read holds until the commit, and a retry after a conflict succeeds."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter


def begin(client: firestore.Client, **options: Any) -> bytes:
    request = {"database": client._database_string, "options": options}
    transaction: bytes = client._firestore_api.begin_transaction(request).transaction
    return transaction


def commit(client: firestore.Client, transaction: bytes) -> None:
    client._firestore_api.commit({"database": client._database_string, "transaction": transaction})


def test_a_transaction_reads_and_then_writes(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("t/x")
    document.set({"n": 1})

    @firestore.transactional
    def add(transaction: firestore.Transaction) -> int:
        n = int(document.get(transaction=transaction).get("n"))
        transaction.update(document, {"n": n + 1})
        return n

    assert add(firestore_client.transaction()) == 1
    assert document.get().get("n") == 2


def test_nothing_is_written_when_the_function_raises(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("t/x")

    @firestore.transactional
    def fail(transaction: firestore.Transaction) -> None:
        transaction.set(document, {"n": 1})
        raise KeyError("no")

    with pytest.raises(KeyError):
        fail(firestore_client.transaction())
    assert not document.get().exists


def test_increments_of_many_threads_are_all_counted(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("t/counter")
    document.set({"n": 0})

    @firestore.transactional
    def add(transaction: firestore.Transaction) -> None:
        n = document.get(transaction=transaction).get("n")
        transaction.update(document, {"n": n + 1})

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(add, firestore_client.transaction()) for _ in range(24)]:
            done.result(timeout=60)
    assert document.get().get("n") == 24


def test_only_one_of_many_creates_a_document(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("t/lock")
    start = threading.Barrier(8)

    def create(number: int) -> bool:
        start.wait(30)
        try:
            document.create({"by": number})
        except exceptions.AlreadyExists:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(create, range(8))) == 1


def test_a_document_made_where_one_was_missed_is_a_conflict(firestore_client: firestore.Client) -> None:
    document, attempts = firestore_client.document("t/absent"), []

    @firestore.transactional
    def create_if_missing(transaction: firestore.Transaction) -> bool:
        missing = not document.get(transaction=transaction).exists
        attempts.append(missing)
        if missing:
            other.wait(30)
            transaction.set(document, {"by": threading.get_ident()})
        return missing

    other = threading.Barrier(2, timeout=5)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: _or_broken(create_if_missing, firestore_client), range(2)))
    assert found.count(True) == 1


def _or_broken(run: Any, client: firestore.Client) -> bool:
    try:
        return bool(run(client.transaction()))
    except threading.BrokenBarrierError:
        return False


def test_a_transaction_sees_nothing_written_by_itself_before_the_commit(firestore_client: firestore.Client) -> None:
    collection = firestore_client.collection("t")
    collection.document("a").set({"n": 1})

    @firestore.transactional
    def run(transaction: firestore.Transaction) -> list[str]:
        query = collection.where(filter=FieldFilter("n", ">", 0))
        found = [each.id for each in query.stream(transaction=transaction)]
        transaction.set(collection.document("b"), {"n": 2})
        return found

    assert run(firestore_client.transaction()) == ["a"]
    assert [each.id for each in collection.order_by("n").stream()] == ["a", "b"]


def test_a_read_only_transaction_sees_one_state(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("t/x")
    document.set({"n": 1})
    transaction = begin(firestore_client, read_only={})
    name = f"{firestore_client._database_string}/documents/t/x"
    api = firestore_client._firestore_api
    first = api.get_document({"name": name, "transaction": transaction})
    document.set({"n": 2})
    second = api.get_document({"name": name, "transaction": transaction})
    commit(firestore_client, transaction)
    assert first.fields["n"].integer_value == second.fields["n"].integer_value == 1


def test_a_read_only_transaction_may_not_write(firestore_client: firestore.Client) -> None:
    transaction = begin(firestore_client, read_only={})
    write = {"delete": f"{firestore_client._database_string}/documents/t/x"}
    request = {"database": firestore_client._database_string, "transaction": transaction, "writes": [write]}
    with pytest.raises(exceptions.InvalidArgument):
        firestore_client._firestore_api.commit(request)


def test_an_ended_or_unknown_transaction_cannot_commit(firestore_client: firestore.Client) -> None:
    transaction = begin(firestore_client)
    commit(firestore_client, transaction)
    with pytest.raises(exceptions.InvalidArgument):
        commit(firestore_client, transaction)
    with pytest.raises(exceptions.InvalidArgument):
        commit(firestore_client, b"unknown")


def test_a_read_can_begin_the_transaction(firestore_client: firestore.Client) -> None:
    firestore_client.document("t/x").set({"n": 1})
    request = {
        "parent": f"{firestore_client._database_string}/documents",
        "structured_query": {"from_": [{"collection_id": "t"}]},
        "new_transaction": {"read_write": {}},
    }
    responses = list(firestore_client._firestore_api.run_query(request))
    assert responses[0].transaction
    assert [each.document.fields["n"].integer_value for each in responses if each.document.name] == [1]
    commit(firestore_client, responses[0].transaction)


def test_what_a_transaction_lists_must_hold_until_its_commit(firestore_client: firestore.Client) -> None:
    firestore_client.document("t/x").set({"n": 1})
    transaction = begin(firestore_client, read_write={})
    parent = f"{firestore_client._database_string}/documents"
    request = {"parent": parent, "collection_id": "t", "transaction": transaction}
    assert len(list(firestore_client._firestore_api.list_documents(request))) == 1
    firestore_client.document("t/y").set({"n": 2}, retry=None, timeout=3)
    with pytest.raises(exceptions.Aborted):
        commit(firestore_client, transaction)


def test_workers_that_claim_jobs_by_a_query_share_none(firestore_client: firestore.Client) -> None:
    jobs = firestore_client.collection("jobs")
    for number in range(12):
        jobs.document(f"j{number:02}").set({"state": "new"})

    def work(_worker: int) -> list[str]:
        @firestore.transactional
        def claim(transaction: firestore.Transaction) -> list[str]:
            query = jobs.where(filter=FieldFilter("state", "==", "new")).limit(1)
            found = list(query.stream(transaction=transaction))
            for each in found:
                transaction.update(each.reference, {"state": "taken"})
            return [each.id for each in found]

        claimed: list[str] = []
        while found := claim(firestore_client.transaction()):
            claimed += found
        return claimed

    with ThreadPoolExecutor(4) as pool:
        claimed = [job for found in pool.map(work, range(4)) for job in found]
    assert sorted(claimed) == [f"j{number:02}" for number in range(12)]
