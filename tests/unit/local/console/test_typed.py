"""Every type of value goes to JSON, through a JavaScript-like reader, and back unchanged."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.local.console.answers import Refusal, parse_json
from infra.local.console.typed import fields_json, read_fields
from infra.local.firestore import wire

DATABASE = "projects/memex-local/databases/(default)"


def vector(*numbers: float) -> Any:
    value = wire.Value(map_value={})
    value.map_value.fields["__type__"].string_value = "__vector__"
    value.map_value.fields["value"].CopyFrom(
        wire.Value(array_value={"values": [wire.Value(double_value=number) for number in numbers]})
    )
    return value


def mapping(**fields: Any) -> Any:
    value = wire.Value(map_value={})
    for name, one in fields.items():
        value.map_value.fields[name].CopyFrom(one)
    return value


VALUES = {
    "null": wire.Value(null_value=0),
    "true": wire.Value(boolean_value=True),
    "text": wire.Value(string_value='"quotes" <b>ü</b>\n\u2028'),
    "no text": wire.Value(string_value=""),
    "integer": wire.Value(integer_value=-7),
    "largest integer": wire.Value(integer_value=2**63 - 1),
    "smallest integer": wire.Value(integer_value=-(2**63)),
    "beyond exact doubles": wire.Value(integer_value=2**53 + 1),
    "double": wire.Value(double_value=0.1),
    "whole double": wire.Value(double_value=7.0),
    "large double": wire.Value(double_value=1e300),
    "smallest double": wire.Value(double_value=5e-324),
    "nan": wire.Value(double_value=math.nan),
    "infinity": wire.Value(double_value=-math.inf),
    "negative zero": wire.Value(double_value=-0.0),
    "timestamp": wire.Value(timestamp_value={"seconds": 1_700_000_000, "nanos": 123_456_000}),
    "before 1970": wire.Value(timestamp_value={"seconds": -62135596800}),
    "bytes": wire.Value(bytes_value=b"\x00\xff\x80"),
    "no bytes": wire.Value(bytes_value=b""),
    "reference": wire.Value(reference_value=f"{DATABASE}/documents/workspaces/demo"),
    "foreign reference": wire.Value(reference_value="projects/p/databases/d/documents/a/b"),
    "geo point": wire.Value(geo_point_value={"latitude": -33.5, "longitude": 0.0}),
    "array": wire.Value(array_value={"values": [wire.Value(integer_value=1), wire.Value(double_value=1.0)]}),
    "empty array": wire.Value(array_value={}),
    "map": mapping(a=wire.Value(bytes_value=b"x"), b=mapping(c=wire.Value(null_value=0))),
    "empty map": wire.Value(map_value={}),
    "map that looks like a tag": mapping(**{"$timestamp": wire.Value(string_value="x")}),
    "map of two such names": mapping(**{"$a": wire.Value(boolean_value=False), "$b": wire.Value(null_value=0)}),
    "vector": vector(1.0, 2.5, math.nan, -0.0),
    "empty vector": vector(),
}


def through_javascript(content: Any) -> Any:
    """What JSON.parse and JSON.stringify make of it: every number a double, whole ones without a point."""

    def double(text: str) -> Any:
        number = float(text)
        return int(number) if number.is_integer() and abs(number) < 1e21 else number

    return json.loads(json.dumps(content), parse_int=double, parse_float=double)


@pytest.mark.parametrize("kind", VALUES)
def test_a_value_comes_back_as_it_was(kind: str) -> None:
    value = VALUES[kind]
    content = through_javascript(fields_json({"it": value}, DATABASE))
    (found,) = read_fields(content, DATABASE).values()
    assert wire.serialize(found) == wire.serialize(value)


@given(st.one_of(st.floats(width=64), st.integers(-(2**63), 2**63 - 1)))
def test_every_number_keeps_its_kind_and_its_digits(number: float | int) -> None:
    value = wire.Value(double_value=number) if isinstance(number, float) else wire.Value(integer_value=number)
    content = through_javascript(fields_json({"it": value}, DATABASE))
    (found,) = read_fields(content, DATABASE).values()
    assert wire.serialize(found) == wire.serialize(value) or (math.isnan(number) and math.isnan(found.double_value))


def test_a_point_makes_a_double_of_what_a_person_writes() -> None:
    found = read_fields(parse_json('{"a": 1, "b": 1.0, "c": 1e2}'), DATABASE)
    assert [found[name].WhichOneof("value_type") for name in "abc"] == ["integer_value", "double_value", "double_value"]


def test_a_reference_is_shortened_within_its_database() -> None:
    assert fields_json({"it": VALUES["reference"]}, DATABASE) == {"it": {"$reference": "workspaces/demo"}}


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"at": {"$timestamp": "yesterday"}}, "at", "no timestamp"),
        ({"at": {"$timestamp": 5}}, "at", "no timestamp"),
        ({"a": {"b": [1, {"$bytes": "%"}]}}, "a.b[1]", "not base64"),
        ({"a": {"$integer": "1.5"}}, "a", "no integer"),
        ({"a": 2**63}, "a", "does not fit 64 bits"),
        ({"a": {"$double": "much"}}, "a", "no double"),
        ({"a": {"$double": True}}, "a", "no double"),
        ({"a": {"$double": 10**400}}, "a", "too large"),
        ({"a": {"$geo": {"latitude": 1}}}, "a", "latitude and longitude"),
        ({"a": {"$geo": {"latitude": 1, "longitude": "x"}}}, "a.longitude", "no double"),
        ({"a": {"$vector": [1, "x"]}}, "a[1]", "no double"),
        ({"a": {"$vector": 1}}, "a", "list of numbers"),
        ({"a": {"$reference": ""}}, "a", "path of a document"),
        ({"a": {"$map": 1}}, "a", "takes an object"),
        ({"a": {"$timestmp": 1}}, "a", "no type $timestmp; there are $bytes"),
        ({"a": "\ud800"}, "'a'", "surrogate"),
        (7, "fields", "JSON object"),
    ],
)
def test_what_cannot_be_taken_is_refused_with_the_name_of_the_field(fields: Any, field: str, words: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_fields(fields, DATABASE)
    assert (caught.value.status, caught.value.field) == (400, field)
    assert words in caught.value.message


def test_fields_that_are_nested_too_deeply_are_refused() -> None:
    deep: Any = 1
    for _ in range(200):
        deep = {"a": deep}
    with pytest.raises(Refusal, match="nested too deeply"):
        read_fields({"top": deep}, DATABASE)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1,}', "line 1, column"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": 1, "a": 2}', "'a' is there twice"),
        ("[" * 100_000, "cannot be taken"),
        ("1" * 5000, "cannot be taken"),
    ],
)
def test_what_is_not_json_is_said_to_be_so(text: str, words: str) -> None:
    with pytest.raises(Refusal, match=words):
        parse_json(text)
