"""The filter language of subscriptions: a filter becomes a predicate on a message's attributes.

Source: cloud.google.com/pubsub/docs/subscription-message-filter (read 2026-11). AND and OR may be
mixed only with parentheses; NOT (or a minus sign) binds to the one term after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from infra.local.pubsub.names import invalid

Predicate = Callable[[Mapping[str, str]], bool]

MAX_FILTER_BYTES = 256
_TOKEN = re.compile(
    r"""\s*(?:
        (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<word>[A-Za-z_][A-Za-z0-9_\-]*)
      | (?P<sign>!=|[=:.,()\-])
    )""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def everything(_attributes: Mapping[str, str]) -> bool:
    """The predicate of a subscription without a filter."""
    return True


def compile_filter(text: str) -> Predicate:
    """The predicate of a filter; INVALID_ARGUMENT when it is not one. Case matters in operators and in values."""
    if not text:
        return everything
    if len(text.encode()) > MAX_FILTER_BYTES:
        raise invalid(f"The filter is longer than {MAX_FILTER_BYTES} bytes.")
    return _Parser(text).parse()


class _Parser:
    """Recursive descent over the tokens of one filter."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = self._split(text)
        self._next = 0

    def parse(self) -> Predicate:
        predicate = self._expression()
        if self._peek():
            raise self._refusal(f"unexpected {self._peek()!r}")
        return predicate

    def _split(self, text: str) -> list[str]:
        tokens, position, end = [], 0, len(text.rstrip())
        while position < end:
            match = _TOKEN.match(text, position)
            if match is None:
                raise self._refusal(f"unexpected character at offset {position}")
            tokens.append(match[match.lastgroup or 0])
            position = match.end()
        return tokens

    def _expression(self) -> Predicate:
        terms, operator = [self._term()], ""
        while self._peek() in ("AND", "OR"):
            found = self._take()
            if operator and found != operator:
                raise self._refusal("AND and OR are mixed without parentheses")
            operator = found
            terms.append(self._term())
        if len(terms) == 1:
            return terms[0]
        combine = all if operator == "AND" else any
        return lambda attributes: combine(term(attributes) for term in terms)

    def _term(self) -> Predicate:
        if self._peek() in ("NOT", "-"):
            self._take()
            inner = self._simple()
            return lambda attributes: not inner(attributes)
        return self._simple()

    def _simple(self) -> Predicate:
        token = self._take()
        if token == "(":
            inner = self._expression()
            self._expect(")")
            return inner
        if token == "hasPrefix":
            return self._has_prefix()
        if token == "attributes":
            return self._attribute()
        raise self._refusal(f"unexpected {token!r}" if token else "it ends too early")

    def _attribute(self) -> Predicate:
        if self._peek() == ":":
            self._take()
            present = self._key()
            return lambda attributes: present in attributes
        key = self._dotted_key()
        operator = self._take()
        if operator not in ("=", "!="):
            raise self._refusal(f"expected = or != after attributes.{key}")
        value = self._string()
        if operator == "=":
            return lambda attributes: attributes.get(key) == value
        return lambda attributes: attributes.get(key) != value

    def _has_prefix(self) -> Predicate:
        for sign in ("(", "attributes"):
            self._expect(sign)
        key = self._dotted_key()
        self._expect(",")
        prefix = self._string()
        self._expect(")")
        return lambda attributes: key in attributes and attributes[key].startswith(prefix)

    def _dotted_key(self) -> str:
        self._expect(".")
        return self._key()

    def _key(self) -> str:
        if self._peek().startswith('"'):
            return self._string()
        token = self._take()
        if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_\-]*", token) is None:
            raise self._refusal(f"{token!r} is not an attribute key")
        return token

    def _string(self) -> str:
        token = self._take()
        if not token.startswith('"'):
            raise self._refusal(f"expected a string in double quotes, not {token!r}")
        return _ESCAPE.sub(r"\1", token[1:-1])

    def _expect(self, token: str) -> None:
        found = self._take()
        if found != token:
            raise self._refusal(f"expected {token!r}, not {found!r}")

    def _peek(self) -> str:
        return self._tokens[self._next] if self._next < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._next += 1
        return token

    def _refusal(self, reason: str) -> Exception:
        return invalid(f"Invalid filter syntax (filter={self._text}): {reason}.")
