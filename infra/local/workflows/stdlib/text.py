"""text.* (reference/stdlib/text). Regular expressions are RE2's; what only Python's engine knows is refused."""

from __future__ import annotations

import re
import urllib.parse

from infra.local.workflows.errors import failure
from infra.local.workflows.stdlib.functions import Function, function, integer, octets, string
from infra.local.workflows.values import Value

_NOT_RE2 = re.compile(r"\\[1-9]|\(\?(?:[=!#(]|<[=!]|P=|>)|[*+?}]\+")


def _regex(name: str, pattern: Value) -> re.Pattern[str]:
    source = string(name, pattern)
    if _NOT_RE2.search(re.sub(r"\\\\", "", source)):
        raise failure("ValueError", f"{name}: {source!r} uses what RE2 does not have")
    try:
        return re.compile(source)
    except re.error as error:
        raise failure("ValueError", f"{name}: {source!r} is not a regular expression: {error}") from error


def _find_all(source: Value, substr: Value) -> Value:
    needle = string("text.find_all", substr)
    haystack = string("text.find_all", source)
    return [found.start() for found in re.finditer(re.escape(needle), haystack)]


def _find_all_regex(source: Value, regexp: Value) -> Value:
    pattern = _regex("text.find_all_regex", regexp)
    found = pattern.finditer(string("text.find_all_regex", source))
    return [{"index": one.start(), "match": one.group()} for one in found]


def _match_regex(source: Value, regexp: Value) -> Value:
    return _regex("text.match_regex", regexp).search(string("text.match_regex", source)) is not None


def _replace_all(source: Value, substr: Value, repl: Value) -> Value:
    name = "text.replace_all"
    return string(name, source).replace(string(name, substr), string(name, repl))


def _replace_all_regex(source: Value, regexp: Value, repl: Value) -> Value:
    name = "text.replace_all_regex"
    replacement = string(name, repl)
    try:
        return _regex(name, regexp).sub(replacement, string(name, source))
    except (re.error, IndexError) as error:
        raise failure("ValueError", f"{name}: {replacement!r} is no replacement: {error}") from error


def _split(source: Value, separator: Value) -> Value:
    text, between = string("text.split", source), string("text.split", separator)
    return text.split(between) if between else list(text)


def _substring(source: Value, start: Value, end: Value) -> Value:
    text = string("text.substring", source)
    first, last = integer("text.substring", start), integer("text.substring", end)
    if not 0 <= first <= last <= len(text):
        raise failure("IndexError", f"text.substring: {first} to {last} is outside a string of {len(text)} characters")
    return text[first:last]


def _decode(data: Value, charset: Value) -> Value:
    try:
        return octets("text.decode", data).decode(string("text.decode", charset))
    except (UnicodeDecodeError, LookupError) as error:
        raise failure("ValueError", f"text.decode: {error}") from error


def _encode(data: Value, charset: Value) -> Value:
    try:
        return string("text.encode", data).encode(string("text.encode", charset))
    except (UnicodeEncodeError, LookupError) as error:
        raise failure("ValueError", f"text.encode: {error}") from error


def _lower(source: Value) -> Value:
    return string("text.to_lower", source).lower()


def _upper(source: Value) -> Value:
    return string("text.to_upper", source).upper()


def _url_encode(source: Value) -> Value:
    return urllib.parse.quote(string("text.url_encode", source), safe="")


def _url_encode_plus(source: Value) -> Value:
    return urllib.parse.quote_plus(string("text.url_encode_plus", source))


def _url_decode(source: Value) -> Value:
    try:
        return urllib.parse.unquote_plus(string("text.url_decode", source), errors="strict")
    except UnicodeDecodeError as error:
        raise failure("ValueError", f"text.url_decode: {error}") from error


FUNCTIONS: tuple[Function, ...] = (
    function("text.find_all", _find_all, "source", "substr"),
    function("text.find_all_regex", _find_all_regex, "source", "regexp"),
    function("text.match_regex", _match_regex, "source", "regexp"),
    function("text.replace_all", _replace_all, "source", "substr", "repl"),
    function("text.replace_all_regex", _replace_all_regex, "source", "regexp", "repl"),
    function("text.split", _split, "source", "separator"),
    function("text.substring", _substring, "source", "start", "end"),
    function("text.decode", _decode, "data", charset="UTF-8"),
    function("text.encode", _encode, "data", charset="UTF-8"),
    function("text.to_lower", _lower, "source"),
    function("text.to_upper", _upper, "source"),
    function("text.url_encode", _url_encode, "source"),
    function("text.url_encode_plus", _url_encode_plus, "source"),
    function("text.url_decode", _url_decode, "source"),
)
