"""From a StructuredQuery to a Plan: normal form, implied order, cursors; refuses what production refuses."""

from __future__ import annotations

from typing import Any

from infra.local.firestore import fieldpath
from infra.local.firestore.encoding import encode, invert
from infra.local.firestore.fieldpath import NAME, FieldPath
from infra.local.firestore.filters import disjuncts_of
from infra.local.firestore.limits import check_compared
from infra.local.firestore.names import check_id, parse, parse_parent
from infra.local.firestore.plan import Conjunction, Cut, Order, Plan
from infra.local.firestore.refusals import invalid, unimplemented

_DESCENDING = 2


def make_plan(parent: str, query: Any) -> Plan:
    """Check a query and prepare it. Raises INVALID_ARGUMENT or UNIMPLEMENTED."""
    path = parse_parent(parent)
    collection_id, all_descendants = _selector(query)
    names_of = _NameKeys(path.database)
    disjuncts = disjuncts_of(query.where, names_of.key) if query.HasField("where") else (Conjunction(),)
    inequalities = _inequality_paths(disjuncts)
    if inequalities and NAME not in inequalities and any(NAME in dict(each.equals) for each in disjuncts):
        raise invalid(
            "Equality on key is not allowed if there are other inequality fields"
            " and key does not appear in inequalities."
        )
    orders = _orders(query, inequalities)
    if all_descendants and path.segments and _fields_of(disjuncts, orders):
        raise invalid("Collection group queries by fields are only allowed at the root.")
    if query.offset < 0 or (query.HasField("limit") and query.limit.value < 0):
        raise invalid("offset and limit must not be negative.")
    return Plan(
        parent=path,
        collection_id=collection_id,
        all_descendants=all_descendants,
        disjuncts=disjuncts,
        orders=orders,
        start=_cut(query, query.start_at, orders, names_of) if query.HasField("start_at") else None,
        end=_cut(query, query.end_at, orders, names_of) if query.HasField("end_at") else None,
        offset=query.offset,
        limit=query.limit.value if query.HasField("limit") else None,
        projection=_projection(query),
    )


class _NameKeys:
    """Turns a reference value given for `__name__` into the sort key of that document."""

    def __init__(self, database: str) -> None:
        self._database = database

    def key(self, value: Any) -> bytes:
        if value.WhichOneof("value_type") != "reference_value":
            raise invalid("__key__ filter value must be a Key: __name__ is compared with references only.")
        path = parse(value.reference_value)
        if path.database != self._database or len(path.segments) % 2:
            raise invalid(f'"{value.reference_value}" is no document of the queried database.')
        return path.key


def _selector(query: Any) -> tuple[str, bool]:
    selectors = query.from_
    if len(selectors) > 1:
        raise invalid("StructuredQuery.from cannot have more than one collection selector.")
    if not selectors or not selectors[0].collection_id:
        raise unimplemented("A query from all collections, without a collection id")
    selector = selectors[0]
    check_id(selector.collection_id, selector.collection_id)
    return selector.collection_id, selector.all_descendants


def _orders(query: Any, inequalities: set[FieldPath]) -> tuple[Order, ...]:
    orders = [Order(fieldpath.parse_queried(o.field.field_path), o.direction == _DESCENDING) for o in query.order_by]
    named = [order.path for order in orders]
    if len(set(named)) != len(named):
        raise invalid("order by clause cannot contain duplicate fields.")
    if NAME in named[:-1] or (NAME in named and inequalities - {*named}):
        raise invalid("order by clause cannot contain more fields after the key")
    descending = orders[-1].descending if orders else False
    for path in sorted(inequalities):
        if path not in named and path != NAME:
            orders.append(Order(path, descending))
    if NAME not in named:
        orders.append(Order(NAME, descending))
    return tuple(orders)


def _inequality_paths(disjuncts: tuple[Conjunction, ...]) -> set[FieldPath]:
    paths = {each.path for conjunction in disjuncts for each in conjunction.ranges}
    return paths | {path for conjunction in disjuncts for path, _ in conjunction.excluded}


def _fields_of(disjuncts: tuple[Conjunction, ...], orders: tuple[Order, ...]) -> set[FieldPath]:
    """The fields, the name not counted, that a query filters or orders by."""
    found = {path for each in disjuncts for path, _ in (*each.equals, *each.contains)}
    return (found | _inequality_paths(disjuncts) | {order.path for order in orders}) - {NAME}


def _cut(query: Any, cursor: Any, orders: tuple[Order, ...], names_of: _NameKeys) -> Cut:
    if len(cursor.values) > len(query.order_by):
        raise invalid("Cursor has too many values: more than the query has sort orders.")
    parts = []
    for value, (path, descending) in zip(cursor.values, orders, strict=False):
        if path != NAME:
            check_compared(value)
        key = names_of.key(value) if path == NAME else encode(value)
        parts.append(invert(key) if descending else key)
    return Cut(b"".join(parts), after=not cursor.before)


def _projection(query: Any) -> tuple[FieldPath, ...] | None:
    if not query.HasField("select") or not query.select.fields:
        return None
    return tuple(fieldpath.parse_queried(field.field_path) for field in query.select.fields)
