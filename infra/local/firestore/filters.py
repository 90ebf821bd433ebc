"""Filters in disjunctive normal form, and the combinations that production refuses."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from infra.local.firestore import fieldpath
from infra.local.firestore.encoding import NAN_KEY, NULL, NULL_KEY, class_bounds, encode
from infra.local.firestore.fieldpath import NAME, FieldPath
from infra.local.firestore.limits import check_compared
from infra.local.firestore.plan import Conjunction, Cut, Range
from infra.local.firestore.refusals import invalid
from infra.local.firestore.sizes import check_operand
from infra.local.firestore.wire import StructuredQuery

MAX_DISJUNCTIONS = 30
MAX_NOT_IN = 10
_Op = StructuredQuery.FieldFilter.Operator
_Unary = StructuredQuery.UnaryFilter.Operator
_Composite = StructuredQuery.CompositeFilter.Operator
_NOT_NULL = (Cut(bytes((NULL + 1,)), after=False), Cut(b"\xfe", after=False))
_ANY_NAME = (Cut(b"", after=False), Cut(b"\xfe", after=False))
_LIST_OPERATORS = (_Op.IN, _Op.NOT_IN, _Op.ARRAY_CONTAINS_ANY)
_INCOMPARABLE = (NULL_KEY, NAN_KEY)
_INEQUALITIES = (_Op.LESS_THAN, _Op.LESS_THAN_OR_EQUAL, _Op.GREATER_THAN, _Op.GREATER_THAN_OR_EQUAL)
NameKey = Callable[[Any], bytes]
Conjunctions = list[Conjunction]


def disjuncts_of(where: Any, name_key: NameKey) -> tuple[Conjunction, ...]:
    """The filter as alternatives, each a conjunction. Raises INVALID_ARGUMENT."""
    _check_combination(list(_leaves(where)), has_or=_has_or(where))
    found = _normalize(where, name_key)
    if len(found) > MAX_DISJUNCTIONS:
        raise invalid(f"The query has {len(found)} disjunctions, more than {MAX_DISJUNCTIONS}.")
    if any(len(conjunction.contains) > 1 for conjunction in found):
        raise invalid("A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")
    return tuple(dict.fromkeys(found))


def _leaves(where: Any) -> Any:
    if where.WhichOneof("filter_type") != "composite_filter":
        yield where
        return
    for child in where.composite_filter.filters:
        yield from _leaves(child)


def _has_or(where: Any) -> bool:
    if where.WhichOneof("filter_type") != "composite_filter":
        return False
    return where.composite_filter.op == _Composite.OR or any(map(_has_or, where.composite_filter.filters))


def _check_combination(leaves: list[Any], *, has_or: bool) -> None:
    operators = [leaf.field_filter.op for leaf in leaves if leaf.WhichOneof("filter_type") == "field_filter"]
    unary = [leaf.unary_filter.op for leaf in leaves if leaf.WhichOneof("filter_type") == "unary_filter"]
    negations = operators.count(_Op.NOT_EQUAL) + sum(op in (_Unary.IS_NOT_NAN, _Unary.IS_NOT_NULL) for op in unary)
    not_ins = operators.count(_Op.NOT_IN)
    if negations + not_ins > 1:
        raise invalid("Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query.")
    if not_ins and (has_or or _Op.IN in operators or _Op.ARRAY_CONTAINS_ANY in operators):
        raise invalid("'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.")


def _normalize(where: Any, name_key: NameKey) -> Conjunctions:
    kind = where.WhichOneof("filter_type")
    if kind == "field_filter":
        return _field_filter(where.field_filter, name_key)
    if kind == "unary_filter":
        return _unary_filter(where.unary_filter)
    if kind is None:
        raise invalid("A filter has no type set.")
    composite = where.composite_filter
    if not composite.filters:
        raise invalid("A composite filter must have at least one sub-filter.")
    # What is said twice side by side counts once; said again further down it counts again.
    said = {child.SerializeToString(deterministic=True): child for child in composite.filters}
    children = [_normalize(child, name_key) for child in said.values()]
    if composite.op == _Composite.OR:
        return list(itertools.chain.from_iterable(children))
    if composite.op != _Composite.AND:
        raise invalid("A composite filter has no operator set.")
    found = children[0]
    for child in children[1:]:
        if len(found) * len(child) > MAX_DISJUNCTIONS * MAX_DISJUNCTIONS:
            raise invalid(f"The query has more than {MAX_DISJUNCTIONS} disjunctions.")
        found = [_both(left, right) for left in found for right in child]
    return found


def _both(left: Conjunction, right: Conjunction) -> Conjunction:
    return Conjunction(
        tuple(dict.fromkeys(left.equals + right.equals)),
        left.contains + right.contains,
        left.ranges + right.ranges,
        left.excluded + right.excluded,
    )


def _field_filter(leaf: Any, name_key: NameKey) -> Conjunctions:
    path = fieldpath.parse_queried(leaf.field.field_path)
    key = name_key if path == NAME else encode
    if path == NAME and leaf.op in (_Op.ARRAY_CONTAINS, _Op.ARRAY_CONTAINS_ANY):
        raise invalid("The name of a document is not an array.")
    if leaf.op in _LIST_OPERATORS:
        operands = _operands(leaf)
        _check_operands(leaf, path, operands)
        return _list_filter(path, leaf.op, operands, key)
    _check_operands(leaf, path, [leaf.value])
    operand = key(leaf.value)
    if leaf.op == _Op.ARRAY_CONTAINS:
        return [Conjunction(contains=((path, operand),))]
    if leaf.op == _Op.NOT_EQUAL:
        return _none_of(path, {operand})
    if operand in _INCOMPARABLE:
        return [_nothing(path)]
    if leaf.op == _Op.EQUAL:
        return [Conjunction(equals=((path, operand),))]
    if leaf.op in _INEQUALITIES:
        return [Conjunction(ranges=(_inequality(path, leaf.op, leaf.value, operand),))]
    raise invalid("A field filter has no operator set.")


def _operands(leaf: Any) -> list[Any]:
    values = list(leaf.value.array_value.values)
    name = _Op.Name(leaf.op)
    if leaf.value.WhichOneof("value_type") != "array_value" or not values:
        raise invalid(f"'{name}' requires a non-empty ArrayValue.")
    bound = MAX_NOT_IN if leaf.op == _Op.NOT_IN else MAX_DISJUNCTIONS
    if len(values) > bound:
        raise invalid(f"'{name}' supports up to {bound} comparison values.")
    return values


def _check_operands(leaf: Any, path: FieldPath, operands: list[Any]) -> None:
    if path != NAME:
        for each in operands:
            check_compared(each)
            check_operand(leaf.field.field_path, each)


def _list_filter(path: FieldPath, op: int, values: list[Any], key: NameKey) -> Conjunctions:
    keys = dict.fromkeys(map(key, values))
    if op == _Op.NOT_IN:
        return _none_of(path, set(keys))
    if op == _Op.ARRAY_CONTAINS_ANY:
        return [Conjunction(contains=((path, each),)) for each in keys]
    return [Conjunction(equals=((path, each),)) for each in keys if each not in _INCOMPARABLE] or [_nothing(path)]


def _none_of(path: FieldPath, keys: set[bytes]) -> Conjunctions:
    """What differs from all of them: nothing differs from null, everything from NaN, as in SQL."""
    return [_nothing(path)] if NULL_KEY in keys else [_negated(path, frozenset(keys - {NAN_KEY}))]


def _nothing(path: FieldPath) -> Conjunction:
    """What no value satisfies."""
    return Conjunction(ranges=(Range(path, Cut(b"\xff", after=False), Cut(b"", after=False)),))


def _negated(path: FieldPath, keys: frozenset[bytes]) -> Conjunction:
    low, high = _ANY_NAME if path == NAME else _NOT_NULL
    return Conjunction(ranges=(Range(path, low, high),), excluded=((path, keys),))


def _inequality(path: FieldPath, op: int, value: Any, key: bytes) -> Range:
    bottom, top = _ANY_NAME if path == NAME else _class_cuts(value)
    if op == _Op.LESS_THAN:
        return Range(path, bottom, Cut(key, after=False))
    if op == _Op.LESS_THAN_OR_EQUAL:
        return Range(path, bottom, Cut(key, after=True))
    if op == _Op.GREATER_THAN:
        return Range(path, Cut(key, after=True), top)
    return Range(path, Cut(key, after=False), top)


def _class_cuts(value: Any) -> tuple[Cut, Cut]:
    low, high = class_bounds(value)
    return Cut(low, after=False), Cut(high, after=False)


def _unary_filter(leaf: Any) -> Conjunctions:
    path = fieldpath.parse_queried(leaf.field.field_path)
    if path == NAME:
        raise invalid("__key__ filter value must be a Key: __name__ is compared with references only.")
    if leaf.op == _Unary.IS_NULL:
        return [Conjunction(equals=((path, NULL_KEY),))]
    if leaf.op == _Unary.IS_NAN:
        return [Conjunction(equals=((path, NAN_KEY),))]
    if leaf.op == _Unary.IS_NOT_NULL:
        return [_negated(path, frozenset((NULL_KEY,)))]
    if leaf.op == _Unary.IS_NOT_NAN:
        return [_negated(path, frozenset((NAN_KEY,)))]
    raise invalid("A unary filter has no operator set.")
