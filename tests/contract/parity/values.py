"""Random values, field names and paths: all types, and the edges of each."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from infra.local.firestore import wire
from infra.local.firestore.encoding import is_vector
from infra.local.firestore.fieldpath import render

DATABASE = "projects/parity/databases/(default)"
"""Stands in a request for the database of the example; see `placed`."""
ROOT = f"{DATABASE}/documents"

INTEGERS = [0, 1, -1, 2, 7, 2**31, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, 2**63 - 2, -(2**63), -(2**63) + 1]
DOUBLES = [0.0, -0.0, 1.0, 1.5, -1.5, 0.1, math.nan, math.inf, -math.inf, 5e-324, -5e-324, 2.2250738585072014e-308]
DOUBLES += [1.7976931348623157e308, -1.7976931348623157e308, 2.0**53, 2.0**63, -(2.0**63), 9007199254740993.0, 1e-7]
STRINGS = ["", "a", "b", "ab", "A", "\x00", "a\x00", "a\x00b", "é", "e\u0301", "\u212b", "å", "\uffff", "\U00010000"]
STRINGS += ["x" * 1499, "x" * 1500, "x" * 1501, "x" * 1500 + "y", "x" * 1500 + "z", "é" * 750, "é" * 751, "1", "__x__"]
BYTES = [b"", b"\x00", b"a", b"a\x00", b"\x00\xff", b"\xff", b"x" * 1500, b"x" * 1501]
SECONDS = [0, 1, -1, 951_782_400, 253_402_300_799, -62_135_596_800]
NANOS = [0, 1, 999, 1000, 1001, 123_456_789, 999_999_999]
NAMES = [f"{ROOT}/c/1", f"{ROOT}/c/2", f"{ROOT}/c/1/g/1", f"{ROOT}/c/__id7__", f"{ROOT}/c/a!", f"{ROOT}/d/1"]
FIELDS = ["a", "b", "n", "t"]
ODD_FIELDS = ["é", "e\u0301", "a b", "a.b", "`", "\\", "1x", "x" * 1500, "__", "____", "_"]
BAD_FIELDS = ["", "__x__", "x" * 1501, "é" * 751, "__name__"]
BAD_PATHS = ["", ".", "a.", ".a", "a..b", "`a", "a`", "``", "a b", "1x", "*", "a.*", "__x__", "a.__x__", "a[0]", "`a`b"]

fields = st.sampled_from(FIELDS)
any_fields = st.one_of(fields, fields, st.sampled_from(ODD_FIELDS))


def value(**kinds: Any) -> Any:
    return wire.Value(**kinds)


def _timestamp(seconds: int, nanos: int) -> Any:
    return value(timestamp_value=wire.Timestamp(seconds=seconds, nanos=nanos))


def _array(elements: list[Any]) -> Any:
    return value(array_value=wire.ArrayValue(values=elements))


def map_of(entries: dict[str, Any]) -> Any:
    """A map Value."""
    made = value()
    made.map_value.SetInParent()
    for name, each in entries.items():
        made.map_value.fields[name].CopyFrom(each)
    return made


def vector_of(numbers: list[float]) -> Any:
    """A vector Value."""
    return map_of(
        {
            "__type__": value(string_value="__vector__"),
            "value": _array([value(double_value=number) for number in numbers]),
        }
    )


def geo_point(latitude: float, longitude: float) -> Any:
    made = value()
    made.geo_point_value.SetInParent()
    made.geo_point_value.latitude, made.geo_point_value.longitude = latitude, longitude
    return made


integers = st.one_of(st.sampled_from(INTEGERS), st.integers(-(2**63), 2**63 - 1))
doubles = st.one_of(st.sampled_from(DOUBLES), st.floats(allow_subnormal=True))
numbers = st.one_of(integers.map(lambda n: value(integer_value=n)), doubles.map(lambda n: value(double_value=n)))
small_numbers = st.integers(0, 3).map(lambda n: value(integer_value=n))
strings = st.one_of(st.sampled_from(STRINGS), st.text(st.characters(exclude_categories=["Cs"]), max_size=3))
scalars = st.one_of(
    small_numbers,
    st.just(value(null_value=0)),
    st.booleans().map(lambda b: value(boolean_value=b)),
    numbers,
    st.builds(_timestamp, st.sampled_from(SECONDS), st.sampled_from(NANOS)),
    strings.map(lambda s: value(string_value=s)),
    st.sampled_from(BYTES).map(lambda b: value(bytes_value=b)),
    st.sampled_from(NAMES).map(lambda n: value(reference_value=n)),
    st.builds(geo_point, st.sampled_from([0.0, -0.0, 90.0, -90.0, 1.5]), st.sampled_from([0.0, 180.0, -180.0, -1.5])),
)
vectors = st.lists(st.sampled_from([0.0, -0.0, 1.0, -2.5]), min_size=1, max_size=3).map(vector_of)


def _containers(inner: Any) -> Any:
    elements = inner.filter(lambda each: each.WhichOneof("value_type") != "array_value" and not is_vector(each))
    return st.one_of(
        st.lists(elements, max_size=3).map(_array), st.dictionaries(any_fields, inner, max_size=3).map(map_of)
    )


values = st.recursive(st.one_of(scalars, scalars, vectors), _containers, max_leaves=5)
"""What may be stored."""

few_values = st.one_of(small_numbers, small_numbers, values)
"""What may be stored, often alike."""


def _deep(levels: int, *, arrays: bool) -> Any:
    made = small = value(integer_value=1)
    for level in range(levels):
        made = _array([map_of({"a": made})]) if arrays and level % 2 else map_of({"a": made})
    return made if levels else small


refused_values = st.one_of(
    st.just(value()),
    st.just(_array([_array([])])),
    st.just(_array([vector_of([1.0])])),
    st.just(_array([map_of({"a": _array([_array([value(integer_value=1)])])})])),
    st.sampled_from(BAD_FIELDS).map(lambda name: map_of({name: value(integer_value=1)})),
    st.builds(geo_point, st.sampled_from([91.0, math.nan, -90.1]), st.sampled_from([0.0, 181.0, math.inf])),
    st.builds(_timestamp, st.sampled_from([253_402_300_800, -62_135_596_801, 0]), st.sampled_from([-1, 0, 10**9])),
    st.sampled_from(
        [
            "",
            "x",
            "projects/p",
            ROOT,
            f"{ROOT}/c",
            f"{ROOT}/c/__x__",
            f"{ROOT}/c/1/",
            f"{ROOT}/c/..",
            "projects/other/databases/(default)/documents/c/1",
            "projects/parity/databases/o/documents/c/1",
        ]
    ).map(lambda name: value(reference_value=name)),
    st.builds(lambda n, arrays: _deep(n, arrays=arrays), st.integers(17, 23), st.booleans()),
    st.just(map_of({"__type__": value(string_value="__vector__")})),
    st.just(map_of({"__type__": value(string_value="__vector__"), "value": value(integer_value=1)})),
    st.just(map_of({"__type__": value(string_value="x")})),
    st.just(vector_of([])),
    st.just(vector_of([1.0] * 2048)),
    st.just(vector_of([1.0] * 2049)),
    st.just(map_of({"__type__": value(string_value="__vector__"), "value": _array([value(integer_value=1)])})),
    st.just(map_of({"__type__": value(string_value="__vector__"), "value": _array([value(string_value="a")])})),
    st.just(
        map_of(
            {
                "__type__": value(string_value="__vector__"),
                "value": _array([value(double_value=1)]),
                "more": value(integer_value=1),
            }
        )
    ),
)
"""What one would think is refused."""

paths = st.lists(any_fields, min_size=1, max_size=3).map(render)
any_paths = st.one_of(paths, paths, paths, st.sampled_from(BAD_PATHS))


def document(entries: dict[str, Any], name: str = "") -> Any:
    """A Document."""
    made = wire.Document(name=name)
    for field, each in entries.items():
        made.fields[field].CopyFrom(each)
    return made


documents = st.dictionaries(any_fields, few_values, max_size=4)
"""The fields of a document."""


def placed(request: Any, project: str) -> Any:
    """The request, of which every `parity` project is `project`; any field longer or shorter is serialized anew."""
    made = type(request)()
    made.CopyFrom(request)
    _replace(made, project)
    return made


def _replace(message: Any, project: str) -> None:
    for field, content in message.ListFields():
        if field.message_type is not None:
            if field.message_type.GetOptions().map_entry:
                for each in content.values():
                    if hasattr(each, "ListFields"):
                        _replace(each, project)
                continue
            for each in content if field.is_repeated else (content,):
                _replace(each, project)
        elif field.type == field.TYPE_STRING:
            if field.is_repeated:
                moved = [_moved(each, project) for each in content]
                del content[:]
                content.extend(moved)
            else:
                setattr(message, field.name, _moved(content, project))


def _moved(text: str, project: str) -> str:
    prefix = "projects/parity"
    if text != prefix and not text.startswith(prefix + "/"):
        return text
    return f"projects/{project}{text[len(prefix) :]}"
