"""Expressions: a table of what each gives, or which error it raises; `source` names the documentation page."""

import math
from dataclasses import dataclass
from typing import Any

import pytest

from infra.local.workflows.errors import Raised, WorkflowError, failure
from infra.local.workflows.expressions.evaluate import evaluate
from infra.local.workflows.expressions.lexer import ExpressionError
from infra.local.workflows.expressions.parser import parse
from infra.local.workflows.stdlib.table import FUNCTIONS
from tests.unit.local.workflows.support import Cloud

DATATYPES = "reference/syntax/datatypes"
EXPRESSIONS = "reference/syntax/expressions"
ERRORS = "reference/syntax/error-types"
HELPERS = "reference/stdlib/expression-helpers"
SHEET = "reference/syntax/syntax-cheat-sheet"
TEXT = "reference/stdlib/text"

VARIABLES: dict[str, Any] = {
    "n": 7,
    "d": 2.5,
    "s": "hello",
    "t": True,
    "nothing": None,
    "list": ["zero", "one", "two"],
    "deep": [[10, 11], [20, 21]],
    "map": {"key": "v", "special!key": 3, "inner": {"a": [1, {"b": 9}]}},
    "data": b"\xff\x00",
}


@dataclass(frozen=True)
class Case:
    source: str
    expression: str
    value: Any = None
    error: str = ""


CASES = [
    Case(EXPRESSIONS, "1 + 2 * 3", 7),
    Case(EXPRESSIONS, "(1 + 2) * 3", 9),
    Case(EXPRESSIONS, "2 - 3 - 4", -5),
    Case(EXPRESSIONS, "10 / 4", 2.5),
    Case(EXPRESSIONS, "4 / 2", 2.0),
    Case(EXPRESSIONS, "10 // 4", 2),
    Case(EXPRESSIONS, "10 % 4", 2),
    Case(EXPRESSIONS, "n * d", 17.5),
    Case(EXPRESSIONS, "-n + 1", -6),
    Case(EXPRESSIONS, "2 - -3", 5),
    Case(EXPRESSIONS, "1e3", 1000.0),
    Case(EXPRESSIONS, "'it''s'", error="syntax"),
    Case(EXPRESSIONS, "'single' + \"double\"", "singledouble"),
    Case(EXPRESSIONS, r'"tab\tquote\" \u00e9"', 'tab\tquote" é'),
    Case(EXPRESSIONS, "[1, n, 'x']", [1, 7, "x"]),
    Case(EXPRESSIONS, "[]", []),
    Case(EXPRESSIONS, "map.key", "v"),
    Case(EXPRESSIONS, 'map["special!key"] + 1', 4),
    Case(EXPRESSIONS, "map.inner.a[1].b", 9),
    Case(EXPRESSIONS, "deep[1][0]", 20),
    Case(EXPRESSIONS, "list[len(list) - 1]", "two"),
    Case(EXPRESSIONS, 'text.split("a/b", "/")[1]', "b"),
    Case(DATATYPES, "true and false", False),
    Case(DATATYPES, "TRUE AND NOT FALSE", True),
    Case(DATATYPES, "true or nothing", True),
    Case(DATATYPES, "false and nothing", False),
    Case(DATATYPES, "true or false and false", True),
    Case(DATATYPES, "not t or t", True),
    Case(DATATYPES, "not (n == 7)", False),
    Case(DATATYPES, "not n == 7", error="TypeError"),
    Case(DATATYPES, "1 + 1 == 2 and 3 > 2", True),
    Case(DATATYPES, "And", error="KeyError"),
    Case(DATATYPES, "true And false", error="syntax"),
    Case(DATATYPES, "1 == 1.0", True),
    Case(DATATYPES, '1 == "1"', False),
    Case(DATATYPES, "nothing == null", True),
    Case(DATATYPES, "[1, 2] == [1, 2.0]", True),
    Case(DATATYPES, "true == 1", False),
    Case(DATATYPES, '"a" < "b"', True),
    Case(DATATYPES, "1 <= 1.5", True),
    Case(DATATYPES, "n != 7", False),
    Case(SHEET, '"key" in map', True),
    Case(SHEET, '"one" in list', True),
    Case(SHEET, "1 in [1.0]", True),
    Case(SHEET, '"x" in map', False),
    Case(SHEET, '"h" in s', error="TypeError"),
    Case(SHEET, 's + " " + string(n)', "hello 7"),
    Case(ERRORS, "s + n", error="TypeError"),
    Case(ERRORS, "n + t", error="TypeError"),
    Case(ERRORS, "list + list", error="TypeError"),
    Case(ERRORS, "s < n", error="TypeError"),
    Case(ERRORS, "not s", error="TypeError"),
    Case(ERRORS, "-s", error="TypeError"),
    Case(ERRORS, "t and s", error="TypeError"),
    Case(ERRORS, "n.key", error="TypeError"),
    Case(ERRORS, "list.key", error="TypeError"),
    Case(ERRORS, 'list["0"]', error="TypeError"),
    Case(ERRORS, "map[0]", error="TypeError"),
    Case(ERRORS, "list[3]", error="IndexError"),
    Case(ERRORS, "list[-1]", error="IndexError"),
    Case(ERRORS, "map.missing", error="KeyError"),
    Case(ERRORS, "unknown", error="KeyError"),
    Case(ERRORS, "1 / 0", error="ZeroDivisionError"),
    Case(ERRORS, "1 // 0", error="ZeroDivisionError"),
    Case(ERRORS, "1 % 0", error="ZeroDivisionError"),
    Case(ERRORS, "9223372036854775807 + 1", error="ValueError"),
    Case(EXPRESSIONS, "9223372036854775808", error="syntax"),
    Case(EXPRESSIONS, "", error="syntax"),
    Case(EXPRESSIONS, "1 +", error="syntax"),
    Case(EXPRESSIONS, "a b", error="syntax"),
    Case(EXPRESSIONS, "f(1", error="syntax"),
    Case(EXPRESSIONS, "1 & 2", error="syntax"),
    Case(EXPRESSIONS, '"open', error="syntax"),
    Case(EXPRESSIONS, "list[]", error="syntax"),
    Case(EXPRESSIONS, "map.", error="syntax"),
    Case(EXPRESSIONS, "a = 1", error="syntax"),
    Case(EXPRESSIONS, "n not in list", error="syntax"),
    Case(EXPRESSIONS, "(1)(2)", error="syntax"),
    Case(EXPRESSIONS, "(" * 190 + "1" + ")" * 190, error="syntax"),
    Case(HELPERS, "default(nothing, 3)", 3),
    Case(HELPERS, "default(0, 3)", 0),
    Case(HELPERS, 'default(map.get(map, "no"), "none")', "none"),
    Case(HELPERS, "keys(map)", ["key", "special!key", "inner"]),
    Case(HELPERS, "keys(list)", error="TypeError"),
    Case(HELPERS, "len(s)", 5),
    Case(HELPERS, "len(map)", 3),
    Case(HELPERS, "len(n)", error="TypeError"),
    Case(HELPERS, 'int("12")', 12),
    Case(HELPERS, "int(2.7)", 2),
    Case(HELPERS, "int(-2.7)", -2),
    Case(HELPERS, 'int("2.7")', error="ValueError"),
    Case(HELPERS, "int(t)", error="TypeError"),
    Case(HELPERS, 'double("2.7")', 2.7),
    Case(HELPERS, "double(3)", 3.0),
    Case(HELPERS, 'double("x")', error="ValueError"),
    Case(HELPERS, "string(1.7)", "1.7"),
    Case(HELPERS, "string(true)", "true"),
    Case(HELPERS, "string(map)", error="TypeError"),
    Case(HELPERS, "if(n > 3, 'big', unknown)", "big"),
    Case(HELPERS, "if(nothing, 1, 2)", 2),
    Case(HELPERS, "if(1, 1, 2)", error="TypeError"),
    Case(HELPERS, "not(false)", True),
    Case(HELPERS, "get_type(map)", "map"),
    Case(HELPERS, "get_type(1.0)", "double"),
    Case(HELPERS, "get_type(null)", "null"),
    Case(HELPERS, "get_type(data)", "bytes"),
    Case("reference/stdlib/list", "list.concat(list, 3)", ["zero", "one", "two", 3]),
    Case("reference/stdlib/list", "list.prepend(list, [1])", [[1], "zero", "one", "two"]),
    Case("reference/stdlib/list", "list.concat(s, 3)", error="TypeError"),
    Case("reference/stdlib/map", 'map.get(map, "key")', "v"),
    Case("reference/stdlib/map", 'map.get(map, ["inner", "a", 1, "b"])', 9),
    Case("reference/stdlib/map", 'map.get(map, ["inner", "zzz", "b"])', None),
    Case("reference/stdlib/map", 'map.delete(map.inner, "a")', {}),
    Case("reference/stdlib/map", 'map.delete(map, "no")', error="KeyError"),
    Case("reference/stdlib/map", "map.merge(map.inner, map.inner)", {"a": [1, {"b": 9}]}),
    Case(
        "reference/stdlib/map",
        'map.merge_nested(json.decode(\'{"a":{"x":1}}\'), json.decode(\'{"a":{"y":2}}\'))',
        {"a": {"x": 1, "y": 2}},
    ),
    Case("reference/stdlib/math", "math.abs(-3)", 3),
    Case("reference/stdlib/math", "math.floor(-1.5)", -2),
    Case("reference/stdlib/math", "math.max(1, 2.5)", 2.5),
    Case("reference/stdlib/math", "math.min(1, 2)", 1),
    Case("reference/stdlib/math", "math.abs(s)", error="TypeError"),
    Case(TEXT, 'text.find_all("banana", "na")', [2, 4]),
    Case(
        TEXT + "/find_all_regex",
        'text.find_all_regex("HelloWorld", "Hello|World")',
        [{"index": 0, "match": "Hello"}, {"index": 5, "match": "World"}],
    ),
    Case(TEXT, 'text.match_regex("abc", "^b")', False),
    Case(TEXT, r'text.match_regex("a1", "\\d")', True),
    Case(TEXT, r'text.match_regex("a1", "(a)\\1")', error="ValueError"),
    Case(TEXT, 'text.match_regex("a", "(?=a)")', error="ValueError"),
    Case(TEXT, 'text.match_regex("a", "(")', error="ValueError"),
    Case(TEXT, 'text.replace_all("a.b.c", ".", "-")', "a-b-c"),
    Case(TEXT, r'text.replace_all_regex("a1b22", "\\d+", "#")', "a#b#"),
    Case(TEXT, r'text.replace_all_regex("k=v", "(.)=(.)", "\\2=\\1")', "v=k"),
    Case(TEXT, 'text.split("a,b", ",")', ["a", "b"]),
    Case(TEXT, "text.substring(s, 1, 3)", "el"),
    Case(TEXT, "text.substring(s, 3, 9)", error="IndexError"),
    Case(TEXT, 'text.to_upper("straße")', "STRASSE"),
    Case(TEXT, 'text.to_lower("ÄB")', "äb"),
    Case(TEXT, 'text.url_encode("a b/ü")', "a%20b%2F%C3%BC"),
    Case(TEXT, 'text.url_encode_plus("a b")', "a+b"),
    Case(TEXT, 'text.url_decode("a+b%20c")', "a b c"),
    Case(TEXT, "text.decode(data)", error="ValueError"),
    Case(TEXT, 'text.decode(text.encode("é"))', "é"),
    Case("reference/stdlib/json", 'json.decode("{\\"a\\": [1, 2.0]}")', {"a": [1, 2.0]}),
    Case("reference/stdlib/json", 'json.decode("no")', error="ValueError"),
    Case("reference/stdlib/json", "json.encode_to_string(map.inner)", '{"a":[1,{"b":9}]}'),
    Case("reference/stdlib/json", "json.encode(list)", b'["zero","one","two"]'),
    Case("reference/stdlib/json", "json.encode_to_string(data)", error="TypeError"),
    Case("reference/stdlib/base64", "base64.encode(data)", "/wA="),
    Case("reference/stdlib/base64", 'base64.decode("/wA=")', b"\xff\x00"),
    Case("reference/stdlib/base64", 'base64.decode("!")', error="ValueError"),
    Case("reference/stdlib/base64", "base64.encode(s)", error="TypeError"),
    Case(
        "reference/stdlib/hash",
        'base64.encode(hash.compute_checksum(text.encode("hello"), "SHA256"))',
        "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
    ),
    Case("reference/stdlib/hash", 'len(base64.encode(hash.compute_hmac(data, data, "SHA1")))', 28),
    Case("reference/stdlib/hash", 'hash.compute_checksum(data, "ROT13")', error="ValueError"),
    Case("reference/stdlib/time", "time.format(0)", "1970-01-01T00:00:00Z"),
    Case("reference/stdlib/time", 'time.format(0, "Europe/Paris")', "1970-01-01T01:00:00+01:00"),
    Case("reference/stdlib/time", 'time.format(0, "Nowhere/None")', error="ValueError"),
    Case("reference/stdlib/time", 'time.parse("1970-01-01T01:00:00.5+01:00")', 0.5),
    Case("reference/stdlib/time", 'time.parse("yesterday")', error="ValueError"),
]


class Names:
    """The table's variables and the library's pure functions."""

    def variable(self, name: str) -> Any:
        if name not in VARIABLES:
            raise failure("KeyError", name)
        return VARIABLES[name]

    def call(self, function: str, arguments: list[Any]) -> Any:
        run = FUNCTIONS[function].run
        assert run is not None
        return run(*FUNCTIONS[function].bind_positional(arguments).values())


def outcome(expression: str) -> tuple[Any, str]:
    try:
        return evaluate(parse(expression), Names()), ""
    except Raised as raised:
        return None, raised.error["tags"][0]
    except ExpressionError:
        return None, "syntax"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.source}:{case.expression[:40]}")
def test_an_expression_gives_what_its_page_says(case: Case) -> None:
    value, error = outcome(case.expression)
    assert (value, type(value), error) == (case.value, type(case.value), case.error)


def test_every_library_function_has_a_case_or_belongs_to_the_machine() -> None:
    shown = " ".join(case.expression for case in CASES)
    pure = [name for name, function in FUNCTIONS.items() if function.run is not None]
    assert [name for name in pure if f"{name}(" not in shown] == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'a ${n} b'", "a ${n} b"),
        ("'  ${1 + 1}  '", 2),
        ("'$${n}'", "$${n}"),
        ('"${"', "${"),
        ("on", "on"),
        ("0x10", "0x10"),
    ],
)
def test_only_a_whole_string_is_an_expression(cloud: Cloud, text: str, value: Any) -> None:
    assert cloud.result(f"main: {{steps: [{{r: {{return: {text}}}}}]}}") == value


def test_an_expression_may_span_lines(cloud: Cloud) -> None:
    source = "main:\n  steps:\n    - r:\n        return: >\n          ${1\n          + 2}\n"
    assert cloud.result(source) == 3


def test_a_value_without_a_json_form_fails_the_execution(cloud: Cloud) -> None:
    assert cloud.error("main: {steps: [{r: {return: '${text.encode(\"x\")}'}}]}")["tags"] == ["TypeError"]


def test_numbers_stay_what_they_are_through_storage(cloud: Cloud) -> None:
    source = """
main:
  steps:
    - a: {assign: [{i: 3}, {d: 3.0}, {big: 9007199254740993}, {b: '${text.encode("x")}'}, {m: {"!": "map"}}]}
    - nap: {call: sys.sleep, args: {seconds: 1}}
    - r: {return: ["${get_type(i)}", "${get_type(d)}", "${big}", "${get_type(b)}", "${m}"]}
"""
    assert cloud.result(source) == ["integer", "double", 9007199254740993, "bytes", {"!": "map"}]


def test_an_unknown_function_is_refused_by_name(cloud: Cloud) -> None:
    with pytest.raises(WorkflowError, match="'text.shout'"):
        cloud.deploy("main: {steps: [{r: {return: '${text.shout(1)}'}}]}")
    assert not math.isnan(cloud.result("main: {steps: [{r: {return: '${sys.now()}'}}]}"))
