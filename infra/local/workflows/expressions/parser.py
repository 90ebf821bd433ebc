"""The grammar of expressions, by the documented order of operations (reference/syntax/datatypes).

Tightest first: parentheses, `.`, `[]`, then `not` and unary minus, `* / // %`, `+ -`, comparisons and
`in`, `and`, `or`. So `not a == b` means `(not a) == b`.
"""

from __future__ import annotations

from infra.local.workflows.expressions.lexer import ExpressionError, Token, string_value, tokens
from infra.local.workflows.expressions.nodes import (
    Binary,
    Call,
    Index,
    ListOf,
    Literal,
    Member,
    Name,
    Node,
    Unary,
    dotted_name,
)
from infra.local.workflows.values import INT_MAX

_CONSTANTS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False, "null": None}
_LEVELS = (
    ("or",),
    ("and",),
    ("<", "<=", ">", ">=", "==", "!=", "in"),
    ("+", "-"),
    ("*", "/", "//", "%"),
)


def parse(text: str) -> Node:
    """The tree of an expression, without its `${` and `}`. Raises ExpressionError."""
    try:
        return _Parser(list(tokens(text))).whole()
    except RecursionError:
        raise ExpressionError("the expression is nested too deeply") from None


class _Parser:
    def __init__(self, stream: list[Token]) -> None:
        self._stream, self._at = stream, 0

    @property
    def _token(self) -> Token:
        return self._stream[self._at]

    def whole(self) -> Node:
        node = self._binary(0)
        if self._token.kind != "end":
            raise self._unexpected()
        return node

    def _unexpected(self) -> ExpressionError:
        token = self._token
        what = "the end of the expression" if token.kind == "end" else repr(token.text)
        return ExpressionError(f"unexpected {what} at column {token.column}")

    def _take(self) -> Token:
        token = self._token
        self._at += 1
        return token

    def _accept(self, *operators: str) -> str | None:
        if self._token.kind == "operator" and self._token.text in operators:
            return self._take().text
        return None

    def _expect(self, operator: str) -> None:
        if self._accept(operator) is None:
            raise self._unexpected()

    def _binary(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self._unary()
        node = self._binary(level + 1)
        while operator := self._accept(*_LEVELS[level]):
            node = Binary(operator, node, self._binary(level + 1))
        return node

    def _unary(self) -> Node:
        if operator := self._accept("not", "-"):
            return Unary(operator, self._unary())
        return self._postfix(self._primary())

    def _postfix(self, node: Node) -> Node:
        while True:
            if self._accept("."):
                if self._token.kind != "name":
                    raise self._unexpected()
                node = Member(node, self._take().text)
            elif self._accept("["):
                node = Index(node, self._binary(0))
                self._expect("]")
            elif self._token.text == "(" and self._token.kind == "operator":
                node = self._call(node)
            else:
                return node

    def _call(self, callee: Node) -> Node:
        name = dotted_name(callee)
        if name is None:
            raise self._unexpected()
        self._expect("(")
        return Call(name, self._items(")"))

    def _items(self, closing: str) -> tuple[Node, ...]:
        items: list[Node] = []
        if self._accept(closing):
            return ()
        while True:
            items.append(self._binary(0))
            if self._accept(closing):
                return tuple(items)
            self._expect(",")

    def _primary(self) -> Node:
        token = self._token
        if token.kind == "name":
            self._take()
            return Literal(_CONSTANTS[token.text]) if token.text in _CONSTANTS else Name(token.text)
        if token.kind == "integer":
            return Literal(self._integer(self._take()))
        if token.kind == "double":
            return Literal(float(self._take().text))
        if token.kind == "string":
            return Literal(string_value(self._take()))
        if self._accept("["):
            return ListOf(self._items("]"))
        if self._accept("("):
            node = self._binary(0)
            self._expect(")")
            return node
        raise self._unexpected()

    def _integer(self, token: Token) -> int:
        number = int(token.text)
        if number > INT_MAX:
            raise ExpressionError(f"integer {token.text} does not fit 64 bits")
        return number
