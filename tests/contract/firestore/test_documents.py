"""Documents by name: what is written is what is read, and what is missing is said to be."""

from __future__ import annotations

import datetime

import pytest
from google.api_core import exceptions
from google.api_core.datetime_helpers import DatetimeWithNanoseconds
from google.cloud import firestore
from google.cloud.firestore_v1.vector import Vector


def test_a_document_that_was_never_written_does_not_exist(firestore_client: firestore.Client) -> None:
    assert not firestore_client.document("notes/none").get().exists


def test_every_type_of_value_comes_back_as_it_was_written(firestore_client: firestore.Client) -> None:
    value = {
        "null": None,
        "yes": True,
        "integer": 2**63 - 1,
        "double": 0.1,
        "moment": datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=datetime.timezone.utc),
        "text": "naïve ✓ \x00 text",
        "bytes": b"\x00\xff",
        "reference": firestore_client.document("a/b"),
        "place": firestore.GeoPoint(-33.5, 151.25),
        "list": [1, "two", {"three": None}],
        "map": {"nested": {"deep": [True]}},
        "vector": Vector([1.0, 2.5]),
        "empty": {"list": [], "map": {}},
    }
    document = firestore_client.document("types/all")
    document.set(value)
    assert document.get().to_dict() == value


def test_integers_and_doubles_keep_their_type(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("types/numbers")
    document.set({"integer": 1, "double": 1.0})
    stored = document.get().to_dict() or {}
    assert (type(stored["integer"]), type(stored["double"])) == (int, float)


def test_timestamps_are_rounded_down_to_microseconds(firestore_client: firestore.Client) -> None:
    moment = DatetimeWithNanoseconds(2026, 1, 1, nanosecond=123456789, tzinfo=datetime.timezone.utc)
    document = firestore_client.document("types/moment")
    document.set({"at": moment})
    assert document.get().get("at").timestamp_pb().nanos == 123456000


def test_a_mask_brings_only_its_fields(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("notes/masked")
    document.set({"a": {"b": 1, "c": 2}, "d": 3})
    assert document.get(field_paths=["a.b", "zz"]).to_dict() == {"a": {"b": 1}}


def test_a_batch_get_says_of_each_whether_it_exists(firestore_client: firestore.Client) -> None:
    there, missing = firestore_client.document("n/there"), firestore_client.document("n/missing")
    there.set({})
    found = {snapshot.id: snapshot.exists for snapshot in firestore_client.get_all([there, missing, there])}
    assert found == {"there": True, "missing": False}


def test_create_time_stays_and_update_time_grows(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("notes/times")
    document.set({"n": 1})
    first = document.get()
    document.set({"n": 2})
    second = document.get()
    assert first.create_time == second.create_time == first.update_time
    assert second.update_time > first.update_time


def test_a_recreated_document_has_a_new_create_time(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("notes/again")
    document.set({"n": 1})
    first = document.get()
    document.delete()
    document.set({"n": 1})
    assert document.get().create_time > first.create_time


def test_listing_pages_through_all_documents_in_order(firestore_client: firestore.Client) -> None:
    collection = firestore_client.collection("pages")
    for number in range(7):
        collection.document(f"d{number}").set({"n": number})
    assert [each.id for each in collection.list_documents(page_size=3)] == [f"d{number}" for number in range(7)]


def test_listing_shows_missing_documents_that_have_documents_below(firestore_client: firestore.Client) -> None:
    firestore_client.document("top/missing/below/there").set({})
    firestore_client.document("top/there").set({})
    assert [each.id for each in firestore_client.collection("top").list_documents()] == ["missing", "there"]


def test_collections_are_listed_below_the_root_and_below_documents(firestore_client: firestore.Client) -> None:
    firestore_client.document("b/x/inner/y").set({})
    firestore_client.document("a/x").set({})
    firestore_client.document("gone/x").set({})
    firestore_client.document("gone/x").delete()
    assert [each.id for each in firestore_client.collections()] == ["a", "b"]
    assert [each.id for each in firestore_client.document("b/x").collections()] == ["inner"]


def test_a_past_state_can_be_read_by_its_time(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("notes/past")
    then = document.set({"n": 1}).update_time
    document.set({"n": 2})
    assert document.get(read_time=then).to_dict() == {"n": 1}
    query = firestore_client.collection("notes").order_by("n")
    assert [each.to_dict() for each in query.stream(read_time=then)] == [{"n": 1}]


@pytest.mark.parametrize("bad", [".", "..", "__reserved__", "x" * 1501, "é" * 751])
def test_a_bad_id_is_refused(firestore_client: firestore.Client, bad: str) -> None:
    with pytest.raises(exceptions.InvalidArgument):
        firestore_client.document("notes", bad).set({})


@pytest.mark.parametrize("good", ["x" * 1500, "____", "__id7__", "a b", "é", "..."])
def test_an_unusual_id_is_accepted(firestore_client: firestore.Client, good: str) -> None:
    firestore_client.document("notes", good).set({"n": 1})
    assert firestore_client.document("notes", good).get().exists
