"""Random queries over a small corpus: every operator, combination, order, cursor, window, projection and group."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import DecodeError
from hypothesis import reject
from hypothesis import strategies as st

from infra.local.firestore import wire
from tests.contract.parity.values import ROOT, any_paths, few_values, refused_values, value, values

Query = wire.StructuredQuery
_Op = Query.FieldFilter.Operator
_Unary = Query.UnaryFilter.Operator
NAME = "__name__"
DOCUMENTS = [f"{ROOT}/c/{n}" for n in "123456"] + [
    f"{ROOT}/c/1/g/1",
    f"{ROOT}/c/1/g/2",
    f"{ROOT}/g/9",
    f"{ROOT}/c!/1/g/1",
]
"""The documents of the corpus."""
PARENTS = [ROOT, ROOT, ROOT, f"{ROOT}/c/1"]
GROUPS = ["c", "c", "c", "g", "none"]
_paths = st.sampled_from(["a", "b", "n", "n.a", "t", "a", "b", NAME])
_other_paths = st.one_of(_paths, _paths, any_paths)
references = st.sampled_from([*DOCUMENTS, f"{ROOT}/c/0", f"{ROOT}/c/9"]).map(lambda name: value(reference_value=name))


def _operand(path: str, ordinary: Any) -> Any:
    return references if path == NAME else ordinary


def _field_filter(path: str, op: int, operand: Any) -> Any:
    made = Query.Filter()
    made.field_filter.field.field_path, made.field_filter.op = path, op
    made.field_filter.value.CopyFrom(operand)
    return made


def _unary_filter(path: str, op: int) -> Any:
    made = Query.Filter()
    made.unary_filter.field.field_path, made.unary_filter.op = path, op
    return made


def _array(elements: list[Any]) -> Any:
    return value(array_value=wire.ArrayValue(values=elements))


_SINGLE = [_Op.EQUAL, _Op.EQUAL, _Op.NOT_EQUAL, _Op.LESS_THAN, _Op.LESS_THAN_OR_EQUAL, _Op.GREATER_THAN]
_SINGLE += [_Op.GREATER_THAN_OR_EQUAL, _Op.ARRAY_CONTAINS]
_LISTS = [_Op.IN, _Op.NOT_IN, _Op.ARRAY_CONTAINS_ANY]
_UNARIES = [_Unary.IS_NULL, _Unary.IS_NAN, _Unary.IS_NOT_NULL, _Unary.IS_NOT_NAN]


def _leaves(paths: Any, operands: Any) -> Any:
    single = paths.flatmap(
        lambda p: st.builds(_field_filter, st.just(p), st.sampled_from(_SINGLE), _operand(p, operands))
    )
    several = paths.flatmap(
        lambda p: st.builds(
            _field_filter, st.just(p), st.sampled_from(_LISTS), st.lists(_operand(p, operands), max_size=4).map(_array)
        )
    )
    return st.one_of(single, single, several, st.builds(_unary_filter, paths, st.sampled_from(_UNARIES)))


def _composite(op: int, children: list[Any]) -> Any:
    made = Query.Filter()
    made.composite_filter.op = op
    made.composite_filter.filters.extend(children)
    return made


def _filters(leaves: Any) -> Any:
    return st.recursive(
        leaves,
        lambda inner: st.builds(_composite, st.sampled_from([1, 1, 2]), st.lists(inner, min_size=1, max_size=3)),
        max_leaves=4,
    )


filters = _filters(_leaves(_paths, few_values))
odd_filters = st.one_of(
    _filters(_leaves(_other_paths, st.one_of(few_values, refused_values))),
    st.builds(_field_filter, _paths, st.sampled_from([0, *_SINGLE, *_LISTS]), values),
    st.builds(_unary_filter, _paths, st.sampled_from([0, *_UNARIES])),
    st.builds(_composite, st.integers(0, 2), st.lists(_leaves(_paths, values), max_size=2)),
    st.just(Query.Filter()),
    st.builds(
        lambda path, op, count: _field_filter(path, op, _array([value(integer_value=n) for n in range(count)])),
        st.sampled_from(["a", "b"]),
        st.sampled_from(_LISTS),
        st.sampled_from([10, 11, 30, 31]),
    ),
)


@st.composite
def queries(draw: Any, odd: bool = False) -> Any:
    """A StructuredQuery; with `odd` it may be one to refuse."""
    query = Query()
    selector = query.from_.add()
    selector.collection_id = draw(st.sampled_from(GROUPS))
    selector.all_descendants = draw(st.sampled_from([False, False, True]))
    if draw(st.sampled_from([True, True, False])):
        query.where.CopyFrom(draw(odd_filters if odd else filters))
    paths = draw(st.lists(_other_paths if odd else _paths, max_size=3, unique=not odd))
    for path in paths:
        query.order_by.add(direction=draw(st.sampled_from([1, 2, 0] if odd else [1, 2]))).field.field_path = path
    for cursor in (query.start_at, query.end_at):
        if paths and draw(st.sampled_from([True, False, False])):
            count = draw(st.integers(0 if odd else 1, len(paths) + int(odd)))
            operands = [draw(_operand(path, few_values)) for path in [*paths, NAME][:count]]
            cursor.values.extend(operands)
            cursor.before = draw(st.booleans())
    if draw(st.sampled_from([True, False])):
        query.limit.value = draw(st.integers(-1 if odd else 0, 4))
    if draw(st.sampled_from([True, False, False])):
        query.offset = draw(st.integers(-1 if odd else 0, 3))
    if draw(st.sampled_from([True, False, False])):
        query.select.SetInParent()
        for path in draw(st.lists(_other_paths if odd else _paths, max_size=2)):
            query.select.fields.add(field_path=path)
    return query


def run_query(parent: str, query: Any) -> Any:
    return wire.message("RunQueryRequest")(parent=parent, structured_query=query)


query_requests = st.builds(run_query, st.sampled_from(PARENTS), queries())


def _odd_query(parent: str, query: Any) -> Any:
    try:
        return run_query(parent, query)
    except DecodeError:  # too deep for protobuf itself: it would not reach the server
        reject()


odd_query_requests = st.builds(
    _odd_query, st.sampled_from([*PARENTS, f"{ROOT}/c", "", "projects/parity"]), queries(odd=True)
)

Aggregation: Any = type(wire.message("RunAggregationQueryRequest")().structured_aggregation_query.aggregations.add())


def _aggregation(kind: str, path: str, alias: str, up_to: int | None) -> Any:
    made = Aggregation(alias=alias)
    if kind == "count":
        made.count.SetInParent()
        if up_to is not None:
            made.count.up_to.value = up_to
    elif kind:
        getattr(made, kind).field.field_path = path
    return made


_aliases = st.sampled_from(["", "x", "y", "z", "a b", "field_1", "x" * 1500])
_aggregations = st.builds(
    _aggregation,
    st.sampled_from(["count", "sum", "avg"]),
    st.sampled_from(["a", "b", "n", "n.a"]),
    _aliases,
    st.one_of(st.none(), st.integers(1, 5)),
)
_odd_aggregations = st.builds(
    _aggregation,
    st.sampled_from(["count", "sum", "avg", ""]),
    _other_paths,
    st.sampled_from(["", "x", "__x__", "a.b", "x" * 1501]),
    st.one_of(st.none(), st.integers(-1, 5)),
)


def _aggregate(parent: str, query: Any, aggregations: list[Any]) -> Any:
    request = wire.message("RunAggregationQueryRequest")(parent=parent)
    try:
        request.structured_aggregation_query.structured_query.CopyFrom(query)
    except DecodeError:
        reject()
    request.structured_aggregation_query.aggregations.extend(aggregations)
    return request


aggregation_requests = st.builds(
    _aggregate, st.sampled_from(PARENTS), queries(), st.lists(_aggregations, min_size=1, max_size=3)
)
odd_aggregation_requests = st.builds(
    _aggregate, st.sampled_from(PARENTS), queries(odd=True), st.lists(_odd_aggregations, max_size=6)
)


@st.composite
def listings(draw: Any) -> Any:
    """A ListDocuments request."""
    request = wire.message("ListDocumentsRequest")(
        parent=draw(st.sampled_from([*PARENTS, f"{ROOT}/c", f"{ROOT}/none/1"])),
        collection_id=draw(st.sampled_from([*GROUPS, "c!", "", "__x__"])),
        page_size=draw(st.sampled_from([0, 0, 1, 2, 3, -1])),
        order_by=draw(
            st.sampled_from(["", "", "a", "a desc", "b, a", "a asc, __name__ desc", "__name__", "a up", ","])
        ),
        show_missing=draw(st.sampled_from([False, False, True])),
    )
    if draw(st.booleans()):
        request.mask.SetInParent()
        request.mask.field_paths.extend(draw(st.lists(_other_paths, max_size=2)))
    return request
