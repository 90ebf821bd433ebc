"""Count, sum and average."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter

from tests.contract.firestore.corpus import fill


def values(aggregation: Any) -> dict[str, Any]:
    return {each.alias: each.value for batch in aggregation.get() for each in batch}


def test_count_counts_what_the_query_finds(firestore_client: firestore.Client) -> None:
    collection = fill(firestore_client)
    assert values(collection.count(alias="n")) == {"n": 30}
    assert values(collection.where(filter=FieldFilter("a", "==", 1)).count(alias="n")) == {"n": 10}
    assert values(collection.limit(7).count(alias="n")) == {"n": 7}
    assert values(collection.offset(7).count(alias="n")) == {"n": 23}
    assert values(firestore_client.collection("none").count(alias="n")) == {"n": 0}


def test_sum_and_average_take_numbers_only(firestore_client: firestore.Client) -> None:
    collection = firestore_client.collection("n")
    for at, value in enumerate([1, 2, "3", None, [4]]):
        collection.document(str(at)).set({"v": value})
    assert values(collection.sum("v", alias="sum").avg("v", alias="avg")) == {"sum": 3, "avg": 1.5}


def test_a_sum_of_integers_is_an_integer_and_else_a_double(
    firestore_client: firestore.Client, declare: Callable[..., None]
) -> None:
    declare("n", "big", "d", "i")
    collection = firestore_client.collection("n")
    collection.document("a").set({"i": 1, "d": 1, "big": 2**62})
    collection.document("b").set({"i": 2, "d": 2.0, "big": 2**62})
    found = values(collection.sum("i", alias="i").sum("d", alias="d").sum("big", alias="big"))
    assert {name: type(value) for name, value in found.items()} == {"i": int, "d": float, "big": float}


def test_of_nothing_the_sum_is_zero_and_the_average_null(firestore_client: firestore.Client) -> None:
    aggregation = firestore_client.collection("none").sum("v", alias="sum").avg("v", alias="avg")
    request = {
        "parent": f"{firestore_client._database_string}/documents",
        "structured_aggregation_query": aggregation._to_protobuf(),
    }
    (response,) = firestore_client._firestore_api.run_aggregation_query(request)
    found = {name: value._pb.WhichOneof("value_type") for name, value in response.result.aggregate_fields.items()}
    assert found == {"sum": "integer_value", "avg": "null_value"}


def test_nan_makes_the_sum_nan(firestore_client: firestore.Client) -> None:
    collection = firestore_client.collection("n")
    collection.document("a").set({"v": math.nan})
    collection.document("b").set({"v": 1})
    assert math.isnan(values(collection.sum("v", alias="sum"))["sum"])


def test_documents_without_a_summed_field_count_for_none_of_the_aggregations(
    firestore_client: firestore.Client,
) -> None:
    collection = firestore_client.collection("n")
    collection.document("a").set({"v": 5})
    collection.document("b").set({"w": 1})
    assert values(collection.sum("v", alias="sum").count(alias="n")) == {"sum": 5, "n": 1}


def test_an_alias_may_not_repeat(firestore_client: firestore.Client) -> None:
    with pytest.raises(exceptions.InvalidArgument):
        firestore_client.collection("n").count(alias="a").count(alias="a").get()
