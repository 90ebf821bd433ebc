"""find_nearest: three measures, threshold, result field, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.vector import Vector

from tests.contract.servers import Server

VECTORS = [[1.0, 2.0], [2.0, 1.0], [0.0, 0.0], [-1.0, 4.0], [1.0, 2.0, 3.0]]


@pytest.fixture
def collection(firestore_client: firestore.Client, firestore_server: Server) -> Iterator[firestore.CollectionReference]:
    collection = firestore_client.collection("v")
    for at, numbers in enumerate(VECTORS):
        collection.document(f"d{at}").set({"e": Vector(numbers), "k": at % 2})
    collection.document("array").set({"e": [1.0, 2.0]})
    collection.document("none").set({})
    vector = {"fieldPath": "e", "vectorConfig": {"dimension": 2, "flat": {}}}
    filtered = [{"fieldPath": "k", "order": "ASCENDING"}, vector]
    indexes = [
        {"collectionGroup": "v", "queryScope": "COLLECTION", "fields": fields} for fields in ([vector], filtered)
    ]
    if firestore_server.indexes is not None:
        firestore_server.indexes.write_text(json.dumps({"indexes": indexes, "fieldOverrides": []}))
    yield collection
    if firestore_server.indexes is not None:
        firestore_server.indexes.write_text(json.dumps({"indexes": [], "fieldOverrides": []}))


def search(query: Any, measure: DistanceMeasure, **options: Any) -> list[tuple[str, Any]]:
    options = {"limit": 10, "distance_result_field": "distance", **options}
    found = query.find_nearest("e", Vector([1.0, 1.5]), distance_measure=measure, **options)
    return [(each.id, (each.to_dict() or {}).get("distance")) for each in found.get()]


def test_the_nearest_by_euclid_come_first(collection: firestore.CollectionReference) -> None:
    found = search(collection, DistanceMeasure.EUCLIDEAN)
    expected = [("d0", 0.5), ("d1", 1.25**0.5), ("d2", 3.25**0.5), ("d3", 10.25**0.5)]
    assert [each for each, _ in found] == [each for each, _ in expected]
    assert [distance for _, distance in found] == pytest.approx([distance for _, distance in expected])


def test_the_largest_dot_product_comes_first(collection: firestore.CollectionReference) -> None:
    found = search(collection, DistanceMeasure.DOT_PRODUCT)
    assert found == [("d3", 5.0), ("d0", 4.0), ("d1", 3.5), ("d2", 0.0)]


def test_by_cosine_a_vector_without_direction_comes_last(collection: firestore.CollectionReference) -> None:
    found = search(collection, DistanceMeasure.COSINE)
    assert [each for each, _ in found] == ["d0", "d1", "d3", "d2"]
    assert [distance for _, distance in found[:3]] == pytest.approx([0.0077221, 0.1317569, 0.3273272], abs=1e-6)


@pytest.mark.parametrize(
    ("measure", "threshold", "ids"),
    [
        (DistanceMeasure.EUCLIDEAN, 1.2, ["d0", "d1"]),
        (DistanceMeasure.COSINE, 0.2, ["d0", "d1"]),
        (DistanceMeasure.DOT_PRODUCT, 4.0, ["d3", "d0"]),
    ],
)
def test_a_threshold_leaves_out_what_is_farther(
    collection: firestore.CollectionReference, measure: DistanceMeasure, threshold: float, ids: list[str]
) -> None:
    assert [each for each, _ in search(collection, measure, distance_threshold=threshold)] == ids


def test_filter_limit_and_no_result_field(collection: firestore.CollectionReference) -> None:
    query = collection.where(filter=FieldFilter("k", "==", 0))
    assert search(query, DistanceMeasure.EUCLIDEAN, limit=1, distance_result_field=None) == [("d0", None)]


@pytest.mark.parametrize("limit", [0, 1001])
def test_a_limit_out_of_bounds_is_refused(collection: firestore.CollectionReference, limit: int) -> None:
    with pytest.raises(exceptions.InvalidArgument):
        search(collection, DistanceMeasure.COSINE, limit=limit)


def test_a_search_without_its_vector_index_names_it(
    firestore_client: firestore.Client, firestore_server: Server
) -> None:
    if firestore_server.indexes is None:
        pytest.skip("the emulator enforces no indexes")
    with pytest.raises(exceptions.FailedPrecondition, match='"vectorConfig": {"dimension": 2'):
        search(firestore_client.collection("v"), DistanceMeasure.COSINE)
