"""Queries: filters, order, cursors and window, over small collections and over indexed ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import And, FieldFilter, Or

from tests.contract.firestore.corpus import ORDERED, fill, numbers

ASC, DESC = firestore.Query.ASCENDING, firestore.Query.DESCENDING
Declare = Callable[..., None]


def where(query: Any, *conditions: tuple[str, str, Any]) -> Any:
    for condition in conditions:
        query = query.where(filter=FieldFilter(*condition))
    return query


@pytest.fixture(params=[30, 210])
def collection(request: pytest.FixtureRequest, firestore_client: firestore.Client) -> firestore.CollectionReference:
    return fill(firestore_client, request.param)


def everything(collection: firestore.CollectionReference) -> list[dict[str, Any]]:
    return [each.to_dict() or {} for each in collection.stream()]


def test_values_of_all_types_have_one_order(firestore_client: firestore.Client) -> None:
    collection = firestore_client.collection("v")
    batch = firestore_client.batch()
    for at, value in enumerate(ORDERED):
        batch.set(collection.document(f"{(at * 7) % 64:02}-{at}"), {"v": value, "at": at})
    batch.set(collection.document("none"), {"other": 1})
    batch.commit()
    rising = [each.get("at") for each in collection.order_by("v").stream()]
    falling = [each.get("at") for each in collection.order_by("v", direction=DESC).stream()]
    assert rising == list(range(len(ORDERED)))
    assert falling == rising[::-1]


@pytest.mark.parametrize("op", ["==", "!=", "<", "<=", ">", ">="])
@pytest.mark.parametrize("value", [1, 2.0, -1, 100])
def test_comparisons_select_what_compares_so(collection: firestore.CollectionReference, op: str, value: float) -> None:
    compare = {
        "==": lambda x: x == value,
        "!=": lambda x: x != value,
        "<": lambda x: x < value,
        "<=": lambda x: x <= value,
        ">": lambda x: x > value,
        ">=": lambda x: x >= value,
    }[op]
    expected = sorted((each["o"], each["c"]) for each in everything(collection) if "o" in each and compare(each["o"]))
    assert numbers(where(collection, ("o", op, value))) == [number for _, number in expected]


def test_inequalities_stay_within_the_type_and_leave_nan_out(firestore_client: firestore.Client) -> None:
    collection = firestore_client.collection("mixed")
    for at, value in enumerate([None, True, float("nan"), 0, 5, "5", [5]]):
        collection.document(str(at)).set({"v": value})

    def ids(*conditions: tuple[str, str, Any]) -> list[str]:
        return [each.id for each in where(collection, *conditions).stream()]

    assert ids(("v", "<", 9)) == ["3", "4"]
    assert ids(("v", ">=", "")) == ["5"]
    assert ids(("v", "!=", 5)) == ["1", "2", "3", "5", "6"]
    assert ids(("v", "not-in", [5, True])) == ["2", "3", "5", "6"]
    assert ids(("v", "not-in", [None])) == []
    assert ids(("v", "in", [None, 5])) == ["4"]
    assert ids(("v", "==", None)) == ["0"]
    assert ids(("v", "!=", None)) == ["1", "2", "3", "4", "5", "6"]
    assert ids(("v", "==", float("nan"))) == ["2"]
    assert ids(("v", "!=", float("nan"))) == ["1", "3", "4", "5", "6"]


def test_equalities_combine_without_a_composite_index(collection: firestore.CollectionReference) -> None:
    expected = [each["c"] for each in everything(collection) if each["a"] == 1 and each["b"] == 2]
    assert numbers(where(collection, ("a", "==", 1), ("b", "==", 2))) == expected


def test_an_equality_with_an_order(collection: firestore.CollectionReference, declare: Declare) -> None:
    declare("q", "a", "-c")
    expected = [each["c"] for each in everything(collection) if each["a"] == 1][::-1][:4]
    assert numbers(where(collection, ("a", "==", 1)).order_by("c", direction=DESC).limit(4)) == expected


def test_two_inequalities_on_different_fields(collection: firestore.CollectionReference, declare: Declare) -> None:
    declare("q", "b", "c")
    rows = [each for each in everything(collection) if each["b"] > 2 and each["c"] < 20]
    expected = [each["c"] for each in sorted(rows, key=lambda each: (each["b"], each["c"]))]
    assert numbers(where(collection, ("c", "<", 20), ("b", ">", 2))) == expected


def test_in_is_a_union_in_the_order_asked_for(collection: firestore.CollectionReference, declare: Declare) -> None:
    declare("q", "a", "c")
    expected = [each["c"] for each in everything(collection) if each["a"] in (0, 2)]
    assert numbers(where(collection, ("a", "in", [2, 0, 2.0])).order_by("c")) == expected
    assert numbers(where(collection, ("a", "in", [2, 0]))) == expected


def test_array_contains_and_contains_any(collection: firestore.CollectionReference) -> None:
    rows = everything(collection)
    assert numbers(where(collection, ("t", "array_contains", 2))) == [r["c"] for r in rows if 2 in r["t"]]
    found = numbers(where(collection, ("t", "array_contains_any", [1, 2])))
    assert found == [r["c"] for r in rows if {1, 2} & set(r["t"])]


def test_or_does_not_repeat_what_matches_twice(collection: firestore.CollectionReference) -> None:
    query = collection.where(filter=Or([FieldFilter("a", "==", 1), FieldFilter("b", "==", 2)]))
    assert numbers(query) == [r["c"] for r in everything(collection) if r["a"] == 1 or r["b"] == 2]


def test_nested_and_or_with_an_order(collection: firestore.CollectionReference, declare: Declare) -> None:
    declare("q", "a", "b", "c")
    declare("q", "a", "c")
    left = And([FieldFilter("a", "==", 1), FieldFilter("b", "==", 1)])
    right = And([FieldFilter("c", ">", 20), FieldFilter("a", "==", 0)])
    query = collection.where(filter=Or([left, right])).order_by("c").limit(5)
    rows = [r["c"] for r in everything(collection) if (r["a"] == r["b"] == 1) or (r["c"] > 20 and r["a"] == 0)]
    assert numbers(query) == rows[:5]


def test_contradicting_equalities_match_nothing(collection: firestore.CollectionReference) -> None:
    assert numbers(where(collection, ("a", "==", 1), ("a", "==", 2))) == []


def test_maps_are_compared_as_wholes_and_by_their_entries(collection: firestore.CollectionReference) -> None:
    assert numbers(where(collection, ("n", "==", {"x": 1, "y": "3"}))) == [3]
    assert numbers(where(collection, ("n.y", "==", "3"))) == [3]


REFUSED: dict[str, Callable[[Any], Any]] = {
    "two array-contains": lambda q: where(q, ("t", "array_contains", 1), ("t", "array_contains", 2)),
    "array-contains and -any": lambda q: where(q, ("t", "array_contains", 1), ("t", "array_contains_any", [2])),
    "not-in under or": lambda q: q.where(filter=Or([FieldFilter("a", "not-in", [1]), FieldFilter("b", "==", 2)])),
    "in with not-in": lambda q: where(q, ("a", "in", [1]), ("b", "not-in", [2])),
    "two not-equals": lambda q: where(q, ("a", "!=", 1), ("b", "!=", 2)),
    "not-equal with not-in": lambda q: where(q, ("a", "!=", 1), ("b", "not-in", [2])),
    "two not-ins": lambda q: where(q, ("a", "not-in", [1]), ("b", "not-in", [2])),
    "over 30 disjunctions": lambda q: where(q, ("a", "in", list(range(6))), ("b", "in", list(range(6)))),
    "in of 31": lambda q: where(q, ("a", "in", list(range(31)))),
    "not-in of 11": lambda q: where(q, ("a", "not-in", list(range(11)))),
    "in of none": lambda q: where(q, ("a", "in", [])),
    "order repeated": lambda q: q.order_by("a").order_by("a"),
    "order after the name": lambda q: q.order_by("__name__").order_by("a"),
    "name equality beside a range": lambda q: where(q, ("__name__", "==", q.document("d")), ("a", ">", 1)),
    "a reserved field": lambda q: where(q, ("__x__", "==", 1)),
    "a name that is none": lambda q: where(q, ("__name__", "==", "d")),
    "a negative offset": lambda q: q.offset(-1),
    "a negative limit": lambda q: q.limit(-1),
}


@pytest.mark.parametrize("query", REFUSED.values(), ids=REFUSED.keys())
def test_what_production_refuses_is_refused(firestore_client: firestore.Client, query: Callable[[Any], Any]) -> None:
    with pytest.raises(exceptions.InvalidArgument):
        list(query(firestore_client.collection("q")).stream())


def test_thirty_disjunctions_are_accepted(collection: firestore.CollectionReference) -> None:
    query = where(collection, ("a", "in", list(range(5))), ("b", "in", list(range(6))))
    assert numbers(query) == [r["c"] for r in everything(collection)]


def test_names_are_filtered_and_ordered_like_fields(collection: firestore.CollectionReference) -> None:
    first, second = collection.document("d003"), collection.document("d007")
    assert numbers(where(collection, ("__name__", "==", first))) == [3]
    assert numbers(where(collection, ("__name__", "in", [second, first, collection.document("no")]))) == [3, 7]
    assert numbers(where(collection, ("__name__", ">", first), ("__name__", "<=", second))) == [4, 5, 6, 7]
    assert numbers(where(collection, ("__name__", "!=", first)).limit(4)) == [0, 1, 2, 4]
    assert (
        numbers(where(collection, ("a", "==", 1)).order_by("__name__", direction=DESC).limit(2))
        == [r["c"] for r in everything(collection) if r["a"] == 1][: -2 - 1 : -1]
    )


def test_a_scan_by_descending_name_needs_an_index(collection: firestore.CollectionReference) -> None:
    with pytest.raises(exceptions.FailedPrecondition):
        list(collection.order_by("__name__", direction=DESC).stream())


def test_an_order_leaves_out_documents_without_the_field(collection: firestore.CollectionReference) -> None:
    rows = sorted((r["o"], r["c"]) for r in everything(collection) if "o" in r)
    assert numbers(collection.order_by("o")) == [number for _, number in rows]


def test_two_orders_in_opposite_directions(collection: firestore.CollectionReference, declare: Declare) -> None:
    declare("q", "-n.x", "b")
    rows = sorted(everything(collection), key=lambda r: (-r["n"]["x"], r["b"], r["c"]))
    query = collection.order_by("n.x", direction=DESC).order_by("b").limit(9)
    assert numbers(query) == [r["c"] for r in rows[:9]]


CURSORS: dict[str, tuple[Callable[[Any], Any], Callable[[tuple[int, int]], bool]]] = {
    "start at": (lambda q: q.start_at({"a": 1, "c": 10}), lambda key: key >= (1, 10)),
    "start after": (lambda q: q.start_after({"a": 1, "c": 10}), lambda key: key > (1, 10)),
    "start after a prefix": (lambda q: q.start_after({"a": 1}), lambda key: key[0] > 1),
    "end before a prefix": (lambda q: q.end_before({"a": 1}), lambda key: key[0] < 1),
    "end at a prefix": (lambda q: q.end_at({"a": 1}), lambda key: key[0] <= 1),
    "between": (
        lambda q: q.start_at({"a": 0, "c": 9}).end_before({"a": 2, "c": 8}),
        lambda key: (0, 9) <= key < (2, 8),
    ),
    "nothing between": (lambda q: q.start_at({"a": 2}).end_at({"a": 1}), lambda key: False),
}


@pytest.mark.parametrize(("cursor", "within"), CURSORS.values(), ids=CURSORS.keys())
def test_cursors_cut_the_results(
    collection: firestore.CollectionReference, declare: Declare, cursor: Any, within: Callable[[Any], bool]
) -> None:
    declare("q", "a", "c")
    keys = sorted((r["a"], r["c"]) for r in everything(collection))
    assert numbers(cursor(collection.order_by("a").order_by("c"))) == [c for a, c in keys if within((a, c))]


@pytest.mark.parametrize("direction", [ASC, DESC])
def test_a_snapshot_is_a_cursor(collection: firestore.CollectionReference, direction: str) -> None:
    rows = sorted((r["a"], r["c"]) for r in everything(collection))
    rows = rows if direction == ASC else rows[::-1]
    query = collection.order_by("a", direction=direction).start_after(collection.document("d010").get())
    assert numbers(query) == [c for _, c in rows[rows.index((1, 10)) + 1 :]]


def test_pages_by_cursor_cover_everything_once(collection: firestore.CollectionReference) -> None:
    query, found = where(collection, ("b", ">=", 1)).limit(7), []
    page = list(query.stream())
    while page:
        found += [each.get("c") for each in page]
        page = list(query.start_after(page[-1]).stream())
    rows = sorted((r["b"], r["c"]) for r in everything(collection) if r["b"] >= 1)
    assert found == [c for _, c in rows]


def test_the_window_is_cut_after_the_order(collection: firestore.CollectionReference) -> None:
    assert numbers(collection.order_by("c").offset(5).limit(3)) == [5, 6, 7]
    assert numbers(collection.order_by("c").offset(5000)) == []
    assert [r.get("c") for r in collection.order_by("c").end_at({"c": 9}).limit(3).get()] == [0, 1, 2]


def test_limit_to_last_takes_the_end_in_the_given_order(firestore_client: firestore.Client) -> None:
    query = fill(firestore_client).order_by("c").limit_to_last(3)
    assert [each.get("c") for each in query.get()] == [27, 28, 29]


def test_a_projection_brings_only_its_fields(collection: firestore.CollectionReference) -> None:
    found = [each.to_dict() for each in collection.select(["n.x", "c", "zz"]).limit(2).stream()]
    assert found == [{"n": {"x": 0}, "c": 0}, {"n": {"x": 1}, "c": 1}]
    assert [each.to_dict() for each in collection.select([]).limit(1).stream()] == [{}]


def test_results_follow_writes_after_the_first_query(collection: firestore.CollectionReference) -> None:
    query = where(collection, ("b", "==", 4))
    before = numbers(query)
    collection.document("d004").update({"b": 0})
    collection.document("d009").delete()
    collection.document("new").set({"b": 4, "c": -1})
    assert numbers(query) == [c for c in before if c not in (4, 9)] + [-1]


@pytest.fixture
def group(firestore_client: firestore.Client) -> firestore.CollectionGroup:
    paths = ["q/d1/sub/a", "q/d1/sub/b", "q/d2/sub/a", "sub/r", "o/x/sub/y/sub/w", "q/d1!/sub/a", "q/d1/other/z"]
    for path in paths:
        firestore_client.document(path).set({"v": len(path)})
    return firestore_client.collection_group("sub")


def paths(query: Any) -> list[str]:
    return [each.reference.path for each in query.stream()]


def test_a_group_has_all_collections_of_its_name_in_path_order(group: firestore.CollectionGroup) -> None:
    in_order = ["o/x/sub/y/sub/w", "q/d1/sub/a", "q/d1/sub/b", "q/d1!/sub/a", "q/d2/sub/a", "sub/r"]
    assert paths(group) == in_order


def test_a_group_can_be_cut_by_name(group: firestore.CollectionGroup, firestore_client: firestore.Client) -> None:
    after = firestore_client.document("q/d1/sub/b")
    assert paths(where(group, ("__name__", ">", after))) == ["q/d1!/sub/a", "q/d2/sub/a", "sub/r"]
    cursor = group.order_by("__name__").start_at({"__name__": firestore_client.document("q/d2/sub/a")})
    assert paths(cursor) == ["q/d2/sub/a", "sub/r"]


def test_a_collection_is_queried_without_those_below_it(group: firestore.CollectionGroup, project: str) -> None:
    client = group._client
    assert paths(client.collection("sub")) == ["sub/r"]
    assert paths(client.collection("q/d1/sub")) == ["q/d1/sub/a", "q/d1/sub/b"]
    assert paths(client.collection("none")) == []
