"""Encoded values sort as the values do, can be strung together, and can be inverted."""

from __future__ import annotations

import datetime
from fractions import Fraction
from typing import Any

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.vector import Vector
from hypothesis import given
from hypothesis import strategies as st

from infra.local.firestore.encoding import class_bounds, encode, invert
from infra.local.rpc import RpcError
from tests.unit.local.firestore.harness import ROOT, value_of

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def rank(value: Any) -> tuple[Any, ...]:
    """A plain statement of Firestore's order, for Python values, as something Python compares."""
    if value is None:
        return (0,)
    if isinstance(value, bool):
        return (1, value)
    if isinstance(value, (int, float)):
        if value != value:
            return (2, 0)
        infinite = value in (float("inf"), float("-inf"))
        return (2, 1, value) if infinite else (2, 1, Fraction(value))
    if isinstance(value, datetime.datetime):
        return (3, value - EPOCH)
    if isinstance(value, str):
        return (4, value.encode())
    if isinstance(value, bytes):
        return (5, value)
    if isinstance(value, firestore.GeoPoint):
        return (7, Fraction(value.latitude), Fraction(value.longitude))
    if isinstance(value, list):
        return (8, [rank(each) for each in value])
    if isinstance(value, Vector):
        return (9, len(value), [rank(each) for each in value])
    return (10, [(name.encode(), rank(value[name])) for name in sorted(value)])


numbers = st.integers(-(2**63), 2**63 - 1) | st.floats() | st.sampled_from([2**53, 2**53 + 1, -(2**53) - 1, -0.0])
coordinates = st.floats(-90, 90)
leaves = (
    st.none()
    | st.booleans()
    | numbers
    | st.datetimes(timezones=st.just(datetime.timezone.utc), min_value=datetime.datetime(1, 1, 2))
    | st.text()
    | st.binary()
    | st.builds(firestore.GeoPoint, coordinates, coordinates)
    | st.lists(st.floats(-5, 5), min_size=1, max_size=3).map(Vector)
)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)


@given(values, values)
def test_two_values_sort_as_their_encodings_do(left: Any, right: Any) -> None:
    a, b = encode(value_of(left)), encode(value_of(right))
    assert (a < b, a == b) == (rank(left) < rank(right), rank(left) == rank(right))


@given(numbers, numbers)
def test_numbers_sort_exactly_across_their_types(left: float, right: float) -> None:
    assert (encode(value_of(left)) < encode(value_of(right))) == (rank(left) < rank(right))


@given(values, values)
def test_inverted_encodings_sort_the_other_way(left: Any, right: Any) -> None:
    a, b = encode(value_of(left)), encode(value_of(right))
    assert (a < b) == (invert(a) > invert(b))


@given(values, values)
def test_no_encoding_is_a_proper_prefix_of_another(left: Any, right: Any) -> None:
    a, b = encode(value_of(left)), encode(value_of(right))
    assert a == b or not b.startswith(a)


@given(values)
def test_a_value_lies_within_the_bounds_of_its_class_both_ways(value: Any) -> None:
    key = encode(value_of(value))
    if value != value:
        return
    low, high = class_bounds(value_of(value))
    assert low < key < high
    assert invert(high) + b"\xff" < invert(key) < invert(low) + b"\xff"


def test_references_sort_by_their_segments() -> None:
    paths = ["a/__id-5__", "a/__id3__", "a/__id20__", "a/b", "a/b/c/d", "a/b!", "a/b!/c/d", "ab/a"]
    keys = [encode(reference(path)) for path in paths]
    assert keys == sorted(keys)


def reference(path: str) -> Any:
    value = value_of("")
    value.reference_value = f"{ROOT}/{path}"
    return value


def test_a_value_without_a_type_is_refused() -> None:
    value = value_of("")
    value.ClearField("string_value")
    with pytest.raises(RpcError):
        encode(value)
