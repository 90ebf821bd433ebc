"""Writes: preconditions, masks, transforms, batches, and what may not be stored."""

from __future__ import annotations

import datetime
import math

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.types import Document, DocumentMask, Write

LONG_AGO = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)


def nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = {"a": value}
    return value


def test_create_refuses_a_document_that_exists(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/x")
    document.create({"n": 1})
    with pytest.raises(exceptions.AlreadyExists):
        document.create({"n": 2})
    assert document.get().to_dict() == {"n": 1}


def test_update_refuses_a_document_that_is_missing(firestore_client: firestore.Client) -> None:
    with pytest.raises(exceptions.NotFound):
        firestore_client.document("w/none").update({"n": 1})


def test_delete_is_quiet_about_a_missing_document_unless_told_otherwise(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/none")
    document.delete()
    with pytest.raises(exceptions.NotFound):
        document.delete(firestore_client.write_option(exists=True))


@pytest.mark.parametrize("exists", [True, False])
def test_a_wrong_update_time_is_a_failed_precondition(firestore_client: firestore.Client, exists: bool) -> None:
    document = firestore_client.document("w/versioned")
    if exists:
        document.set({"n": 1})
    with pytest.raises(exceptions.FailedPrecondition):
        document.update({"n": 2}, firestore_client.write_option(last_update_time=LONG_AGO))


def test_the_right_update_time_lets_one_writer_pass(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/versioned")
    document.set({"n": 1})
    option = firestore_client.write_option(last_update_time=document.get().update_time)
    document.update({"n": 2}, option)
    with pytest.raises(exceptions.FailedPrecondition):
        document.update({"n": 3}, option)


def test_a_failed_batch_changes_nothing(firestore_client: firestore.Client) -> None:
    batch = firestore_client.batch()
    batch.set(firestore_client.document("w/first"), {"n": 1})
    batch.update(firestore_client.document("w/none"), {"n": 1})
    with pytest.raises(exceptions.NotFound):
        batch.commit()
    assert not firestore_client.document("w/first").get().exists


def test_writes_of_one_batch_to_one_document_apply_in_order(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/same")
    batch = firestore_client.batch()
    batch.create(document, {"a": 1})
    batch.update(document, {"b": firestore.Increment(2)})
    batch.delete(document)
    batch.set(document, {"c": 3})
    batch.commit()
    assert document.get().to_dict() == {"c": 3}


def test_a_batch_of_more_than_500_writes_is_accepted(firestore_client: firestore.Client) -> None:
    batch = firestore_client.batch()
    for number in range(501):
        batch.set(firestore_client.document(f"w/b{number}"), {"n": number})
    assert len({result.update_time for result in batch.commit()}) == 1


def test_a_write_that_changes_nothing_keeps_the_update_time(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/noop")
    first = document.set({"n": 1, "nan": math.nan})
    second = document.set({"nan": math.nan, "n": 1})
    third = document.set({"n": 1.0, "nan": math.nan})
    assert first.update_time == second.update_time < third.update_time


def test_merging_keeps_what_is_not_mentioned(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/merge")
    document.set({"a": {"b": 1, "c": 2}, "d": 1})
    document.set({"a": {"b": 5}}, merge=True)
    assert document.get().to_dict() == {"a": {"b": 5, "c": 2}, "d": 1}


def test_a_deep_update_turns_what_is_in_its_way_into_maps(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/deep")
    document.set({"a": 1})
    document.update({"a.b.c": 5, "x.y": firestore.DELETE_FIELD})
    assert document.get().to_dict() == {"a": {"b": {"c": 5}}}


def test_deleting_the_last_entry_leaves_an_empty_map(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/empty")
    document.set({"a": {"x": 1}})
    document.update({"a.x": firestore.DELETE_FIELD})
    assert document.get().to_dict() == {"a": {}}


def test_paths_with_unusual_names_are_quoted(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/quoted")
    document.set({"a-b": {"c.d": 1, "`x\\": 2}})
    document.update({"`a-b`.`c.d`": 5, "`a-b`.`\\`x\\\\`": 6, "`ü`": 1})
    assert document.get().to_dict() == {"a-b": {"c.d": 5, "`x\\": 6}, "ü": 1}


@pytest.mark.parametrize("path", ["a-b", "__x__", "a..b", "", "`a", "a.", "*"])
def test_a_malformed_mask_is_refused(firestore_client: firestore.Client, path: str) -> None:
    name = f"{firestore_client._database_string}/documents/w/mask"
    write = Write(update=Document(name=name), update_mask=DocumentMask(field_paths=[path]))
    with pytest.raises(exceptions.InvalidArgument):
        firestore_client._firestore_api.commit({"database": firestore_client._database_string, "writes": [write]})


def test_increments_follow_the_types_of_both_operands(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/increment")
    document.set({"i": 1, "d": 1.5, "s": "x", "top": 2**63 - 1})
    steps = {"i": 2.5, "d": 2, "s": 7, "new": 1, "top": 9}
    document.update({name: firestore.Increment(step) for name, step in steps.items()})
    assert document.get().to_dict() == {"i": 3.5, "d": 3.5, "s": 7, "new": 1, "top": 2**63 - 1}


def test_maximum_and_minimum_keep_the_stored_value_among_equals(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/extremes")
    document.set({"same": 3, "larger": 5, "smaller": 5, "nan": 1})
    document.update(
        {
            "same": firestore.Maximum(3.0),
            "larger": firestore.Maximum(6.5),
            "smaller": firestore.Minimum(4.5),
            "nan": firestore.Maximum(math.nan),
        }
    )
    stored = document.get().to_dict() or {}
    assert math.isnan(stored.pop("nan"))
    assert stored == {"same": 3, "larger": 6.5, "smaller": 4.5}
    assert isinstance(stored["same"], int)


def test_array_unions_and_removals_compare_numbers_across_types(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/arrays")
    document.set({"a": [1, 2, 1.0, None], "b": "no array"})
    document.update({"a": firestore.ArrayUnion([1.0, 3, 3, None]), "b": firestore.ArrayUnion([1, 1.0])})
    assert document.get().to_dict() == {"a": [1, 2, 1.0, None, 3], "b": [1]}
    document.update({"a": firestore.ArrayRemove([1, None]), "c": firestore.ArrayRemove([1])})
    assert document.get().to_dict() == {"a": [2, 3], "b": [1], "c": []}


def test_server_timestamps_are_alike_in_a_batch_and_have_milliseconds(firestore_client: firestore.Client) -> None:
    batch = firestore_client.batch()
    documents = [firestore_client.document(f"w/ts{number}") for number in range(2)]
    for document in documents:
        batch.set(document, {"at": firestore.SERVER_TIMESTAMP, "in": {"at": firestore.SERVER_TIMESTAMP}})
    batch.commit()
    snapshots = [document.get() for document in documents]
    moments = {moment for each in snapshots for moment in (each.get("at"), each.get("in.at"))}
    assert len(moments) == 1
    moment = moments.pop()
    assert moment.microsecond % 1000 == 0
    assert moment <= snapshots[0].update_time


def test_transform_results_come_back_in_order(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/results")
    document.set({"n": 1})
    result = document.update({"n": firestore.Increment(4)})
    assert [each.integer_value for each in result.transform_results] == [5]


def test_a_field_and_what_lies_in_it_cannot_both_be_transformed(firestore_client: firestore.Client) -> None:
    name = f"{firestore_client._database_string}/documents/w/nested"
    increments = [{"field_path": path, "increment": {"integer_value": 1}} for path in ("a", "a.b")]
    write = Write(update=Document(name=name), update_transforms=increments)
    with pytest.raises(exceptions.InvalidArgument):
        firestore_client._firestore_api.commit({"database": firestore_client._database_string, "writes": [write]})


@pytest.mark.parametrize("field", ["__x__", "", "x" * 1501])
def test_a_bad_field_name_is_refused(firestore_client: firestore.Client, field: str) -> None:
    name = f"{firestore_client._database_string}/documents/w/field"
    write = Write(update=Document(name=name, fields={field: {"integer_value": 1}}))
    with pytest.raises(exceptions.InvalidArgument):
        firestore_client._firestore_api.commit({"database": firestore_client._database_string, "writes": [write]})


def test_twenty_levels_of_map_are_the_limit(firestore_client: firestore.Client) -> None:
    firestore_client.document("w/nested").set({"top": nested(20)})
    with pytest.raises(exceptions.InvalidArgument):
        firestore_client.document("w/nested").set({"top": nested(21)})


def test_a_document_over_one_mebibyte_is_refused(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/size")
    document.set({"a": "x" * 600_000, "b": "x" * 448_000})
    with pytest.raises(exceptions.InvalidArgument):
        document.set({"a": "x" * 600_000, "b": "x" * 449_000})


def test_a_value_over_its_own_limit_is_refused(firestore_client: firestore.Client) -> None:
    document = firestore_client.document("w/size")
    with pytest.raises(exceptions.InvalidArgument):
        document.set({"a": "x" * 1_048_488})


def test_an_array_directly_in_an_array_is_refused(firestore_client: firestore.Client) -> None:
    with pytest.raises(exceptions.InvalidArgument):
        firestore_client.document("w/arrays").set({"a": [[1]]})


def test_the_bulk_writer_writes_each_document_on_its_own(firestore_client: firestore.Client) -> None:
    writer = firestore_client.bulk_writer()
    for number in range(30):
        writer.set(firestore_client.document(f"bulk/{number:02}"), {"n": number})
    writer.close()
    assert len(list(firestore_client.collection("bulk").stream())) == 30
