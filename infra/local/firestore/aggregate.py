"""Count, sum and average over the results of a query."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

from infra.local.firestore import fieldpath, wire
from infra.local.firestore.fieldpath import FieldPath
from infra.local.firestore.plan import Plan
from infra.local.firestore.refusals import invalid

MAX_AGGREGATIONS = 5
_INT64 = range(-(1 << 63), 1 << 63)


def aggregated_plan(plan: Plan, query: Any, aggregations: Any) -> Plan:
    """The query's plan over those documents only that have every summed field. Raises INVALID_ARGUMENT."""
    if not 1 <= len(aggregations) <= MAX_AGGREGATIONS:
        raise invalid(f"A query must have between 1 and {MAX_AGGREGATIONS} aggregations.")
    aliases = _aliases(aggregations)
    if len(set(aliases)) != len(aliases):
        raise invalid("Aggregation aliases must be unique.")
    for alias in aliases:
        fieldpath.check_alias(alias)
    paths = {_path(each) for each in aggregations if each.WhichOneof("operator") != "count"}
    if paths and query.HasField("select"):
        raise invalid("A query whose fields are summed or averaged cannot have a projection.")
    if paths and plan.all_descendants and plan.parent.segments:
        raise invalid("Collection group queries by fields are only allowed at the root.")
    asked = {fieldpath.parse(order.field.field_path) for order in query.order_by}
    ordered = {order.path for order in plan.orders}  # also by what inequalities order, before the name
    if paths - ordered and (fieldpath.NAME in asked or _filters_by_name(plan)):
        raise invalid("An index with fields after __name__ is not supported: order by the aggregated fields as well.")
    return replace(plan, present=tuple(sorted(paths)))


def _filters_by_name(plan: Plan) -> bool:
    keyed = (path for each in plan.disjuncts for path, _ in (*each.equals, *each.excluded))
    return fieldpath.NAME in {*keyed, *(found.path for each in plan.disjuncts for found in each.ranges)}


def only_counts(aggregations: Any) -> bool:
    """Whether the number of documents is all that is wanted of them."""
    return all(each.WhichOneof("operator") == "count" for each in aggregations)


def aggregate(count: int, bodies: list[bytes], aggregations: Any) -> Any:
    """The AggregationResult over `count` serialized documents, not needed to count them. Raises INVALID_ARGUMENT."""
    parsed = [] if only_counts(aggregations) else list(map(_fields, bodies))
    result = wire.AggregationResult()
    for alias, each in zip(_aliases(aggregations), aggregations, strict=True):
        result.aggregate_fields[alias].CopyFrom(_value(each, count, parsed))
    return result


def _aliases(aggregations: Any) -> list[str]:
    """The alias of each; those without one are numbered among themselves."""
    numbers = itertools.count(1)
    return [each.alias or f"field_{next(numbers)}" for each in aggregations]


def _fields(body: bytes) -> Any:
    return wire.parse_document(body).fields


def _path(aggregation: Any) -> FieldPath:
    kind = aggregation.WhichOneof("operator")
    if kind is None:
        raise invalid("An aggregation has no operator set.")
    return fieldpath.parse_queried(getattr(aggregation, kind).field.field_path)


def _value(aggregation: Any, count: int, parsed: list[Any]) -> Any:
    kind = aggregation.WhichOneof("operator")
    if kind == "count":
        up_to = aggregation.count.up_to.value if aggregation.count.HasField("up_to") else count
        if up_to <= 0 and aggregation.count.HasField("up_to"):
            raise invalid("COUNT up_to must be greater than zero.")
        return wire.Value(integer_value=min(count, up_to))
    numbers = [n for fields in parsed if (n := _number(fieldpath.get(fields, _path(aggregation)))) is not None]
    if kind == "sum":
        return _sum(numbers)
    if not numbers:
        return wire.Value(null_value=0)
    return wire.Value(double_value=_total(numbers) / len(numbers))


def _number(value: Any) -> int | float | None:
    kind = value.WhichOneof("value_type")
    if kind == "integer_value":
        return int(value.integer_value)
    return float(value.double_value) if kind == "double_value" else None


def _sum(numbers: list[int | float]) -> Any:
    if all(isinstance(number, int) for number in numbers):
        total = sum(numbers)
        if total in _INT64:
            return wire.Value(integer_value=total)
    return wire.Value(double_value=float(_total(numbers)))


def _total(numbers: list[int | float]) -> int | float:
    """Exact for integers, correctly rounded for doubles, by IEEE 754 with infinities and NaN."""
    if all(isinstance(number, int) for number in numbers):
        return sum(numbers)
    if any(math.isinf(number) or math.isnan(number) for number in numbers):
        return sum(map(float, numbers))
    return math.fsum(numbers)
