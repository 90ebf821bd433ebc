"""The filter language: what matches what, and what is no filter."""

from __future__ import annotations

import pytest

from infra.local.pubsub.filters import compile_filter
from infra.local.rpc import RpcError

MESSAGES = {
    "none": {},
    "x": {"a": "x"},
    "y": {"a": "y"},
    "xb": {"a": "x", "b": "y"},
    "xyz": {"a": "xyz"},
    "empty": {"a": ""},
    "spaced": {"a b": "x"},
    "dashed": {"ce-type": "x"},
}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "none x y xb xyz empty spaced dashed"),
        ('attributes.a = "x"', "x xb"),
        ('attributes.a="x"', "x xb"),
        ('attributes.a != "x"', "none y xyz empty spaced dashed"),
        ("attributes:a", "x y xb xyz empty"),
        ('attributes:"a b"', "spaced"),
        ('attributes."a b" = "x"', "spaced"),
        ('attributes.ce-type = "x"', "dashed"),
        ("NOT attributes:a", "none spaced dashed"),
        ("-attributes:a", "none spaced dashed"),
        ('hasPrefix(attributes.a, "x")', "x xb xyz"),
        ('hasPrefix(attributes.a, "")', "x y xb xyz empty"),
        ('attributes.a = "x" AND attributes.b = "y"', "xb"),
        ('attributes.a = "y" OR attributes.b = "y"', "y xb"),
        ('attributes:a AND NOT attributes:b AND attributes.a = "x"', "x"),
        ('NOT attributes:a OR attributes.a = "x"', "none x xb spaced dashed"),
        ('attributes:a AND (attributes.a = "y" OR attributes:b)', "y xb"),
        ('NOT (attributes.a = "x" OR attributes.a = "y")', "none xyz empty spaced dashed"),
        ('attributes:a AND attributes.a != "x"', "y xyz empty"),
    ],
)
def test_a_filter_matches(text: str, wanted: str) -> None:
    matches = compile_filter(text)
    assert [name for name, attributes in MESSAGES.items() if matches(attributes)] == wanted.split()


def test_quotes_in_a_value_are_escaped() -> None:
    assert compile_filter(r'attributes.a = "say \"x\\y\""')({"a": r'say "x\y"'})


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "attributes",
        "attributes.a",
        'attributes.a = "x" AND',
        'attributes.a = "x" AND attributes:b OR attributes:c',
        'attributes.a = "x" attributes:b',
        "attributes.a = x",
        "attributes.a = 'x'",
        'attributes.a = "x',
        'attributes.a < "x"',
        'data = "x"',
        '"x" = attributes.a',
        "not attributes:a",
        "attributes:a and attributes:b",
        'hasPrefix(attributes:a, "x")',
        'hasPrefix(attributes.a "x")',
        'hasPrefix("a", "x")',
        'hasprefix(attributes.a, "x")',
        "(attributes:a",
        "attributes:a)",
        "()",
        'attributes.1a = "x"',
        "attributes:" + "k" * 250,
    ],
)
def test_what_is_no_filter_is_refused(text: str) -> None:
    with pytest.raises(RpcError, match="ilter"):
        compile_filter(text)
