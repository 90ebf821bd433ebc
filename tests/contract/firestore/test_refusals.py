"""What the local cloud does not implement it refuses by name; and indexes that production would want."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter

from tests.contract.servers import Server


@pytest.fixture(autouse=True)
def _only_local(firestore_server: Server) -> None:
    if firestore_server.indexes is None:
        pytest.skip("the emulator enforces no indexes and implements some of these")


def test_methods_that_are_missing_say_so_by_name(firestore_client: firestore.Client) -> None:
    with pytest.raises(exceptions.MethodNotImplemented, match="PartitionQuery"):
        list(firestore_client.collection_group("g").get_partitions(3))
    with pytest.raises(exceptions.MethodNotImplemented, match="ExecutePipeline"):
        list(firestore_client.pipeline().collection("g").stream())


def equal(query: Any, **values: Any) -> Any:
    for name, value in values.items():
        query = query.where(filter=FieldFilter(name, "==", value))
    return query


NEEDY: dict[str, tuple[Callable[[Any], Any], list[str]]] = {
    "equality and order": (lambda q: equal(q, a=1).order_by("b"), ["a", "b"]),
    "equality and range": (lambda q: equal(q, a=1).where(filter=FieldFilter("b", ">", 1)), ["a", "b"]),
    "two orders": (lambda q: q.order_by("a").order_by("b", direction="DESCENDING"), ["a", "-b"]),
    "array and order": (
        lambda q: q.where(filter=FieldFilter("t", "array_contains", 1)).order_by("a"),
        ["t[]", "a"],
    ),
    "two ranges": (
        lambda q: q.where(filter=FieldFilter("a", ">", 1)).where(filter=FieldFilter("b", ">", 1)),
        ["a", "b"],
    ),
    "order against the name": (
        lambda q: q.order_by("a").order_by("__name__", direction="DESCENDING"),
        ["a", "-__name__"],
    ),
    "descending names": (lambda q: q.order_by("__name__", direction="DESCENDING"), ["-__name__"]),
    "sum under a filter": (lambda q: equal(q, a=1).sum("b"), ["a", "b"]),
}


@pytest.mark.parametrize(("query", "fields"), NEEDY.values(), ids=NEEDY.keys())
def test_a_query_without_its_index_names_the_index(
    firestore_client: firestore.Client, declare: Callable[..., None], query: Callable[[Any], Any], fields: list[str]
) -> None:
    asked = query(firestore_client.collection("g"))
    with pytest.raises(exceptions.FailedPrecondition) as refused:
        asked.get()
    suggested = json.loads(refused.value.message[refused.value.message.index("{") :])
    declare("other", "a")
    with pytest.raises(exceptions.FailedPrecondition):
        asked.get()
    declare("g", *fields)
    asked.get()
    assert suggested["collectionGroup"] == "g"
    assert [field["fieldPath"] for field in suggested["fields"]] == [field.strip("-[]") for field in fields]


def test_declared_indexes_with_one_order_are_merged(
    firestore_client: firestore.Client, declare: Callable[..., None]
) -> None:
    declare("g", "a", "c")
    declare("g", "b", "c")
    equal(firestore_client.collection("g"), a=1, b=2).order_by("c").get()
    equal(firestore_client.collection("g"), a=1, b=2).order_by("c", direction="DESCENDING").get()


def test_a_group_query_on_a_field_wants_a_field_override(
    firestore_client: firestore.Client, firestore_server: Server, declare: Callable[..., None]
) -> None:
    query = equal(firestore_client.collection_group("g"), a=1)
    with pytest.raises(exceptions.FailedPrecondition) as refused:
        query.get()
    override = json.loads(refused.value.message[refused.value.message.index("{") :])
    assert firestore_server.indexes is not None
    firestore_server.indexes.write_text(json.dumps({"indexes": [], "fieldOverrides": [override]}))
    query.get()
    equal(firestore_client.collection("g"), a=1).get()


def test_a_field_without_indexes_cannot_be_queried(
    firestore_client: firestore.Client, firestore_server: Server, declare: Callable[..., None]
) -> None:
    assert firestore_server.indexes is not None
    override = {"collectionGroup": "g", "fieldPath": "big", "indexes": []}
    firestore_server.indexes.write_text(json.dumps({"indexes": [], "fieldOverrides": [override]}))
    with pytest.raises(exceptions.FailedPrecondition):
        equal(firestore_client.collection("g"), big=1).get()
    equal(firestore_client.collection("g"), small=1).get()
