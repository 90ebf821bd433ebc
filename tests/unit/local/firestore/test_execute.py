"""An indexed query finds exactly what looking at every document finds."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from infra.local.firestore import execute
from infra.local.firestore.composite import IndexRules
from infra.local.firestore.planner import make_plan
from tests.unit.local.firestore.harness import ROOT, Local, delete, query_of, update, value_of

LESS, LESS_OR_EQUAL, GREATER, EQUAL, NOT_EQUAL, CONTAINS, IN, NOT_IN = 1, 2, 3, 5, 6, 7, 8, 10
small = st.sampled_from([None, 0, 1, 1.0, 2.5, "", "x", float("nan"), [1], [1, "x"], {"k": 1}])
documents = st.dictionaries(st.sampled_from(["a", "b", "c"]), small, max_size=3)
fields = st.sampled_from(["a", "b", "c", "a.k"])
conditions = st.tuples(fields, st.sampled_from([LESS, LESS_OR_EQUAL, GREATER, EQUAL, CONTAINS]), small) | st.tuples(
    fields, st.sampled_from([IN, NOT_IN]), st.lists(st.sampled_from([0, 1, "x", None]), min_size=1, max_size=3)
)
orders = st.lists(fields, max_size=2, unique=True).flatmap(
    lambda names: st.tuples(*(st.sampled_from([name, "-" + name]) for name in names)).map(" ".join)
)
writes = st.lists(st.tuples(st.integers(0, 9), st.none() | documents), max_size=25)


@pytest.fixture
def unruled(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(IndexRules, "check", lambda self, plan: None)
    return monkeypatch


def apply(local: Local, batch: list[tuple[int, dict[str, Any] | None]]) -> None:
    for number, data in batch:
        local.commit(delete(f"q/d{number}") if data is None else update(f"q/d{number}", data))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), first=writes, then=writes)
def test_index_and_scan_agree(unruled: pytest.MonkeyPatch, data: Any, first: Any, then: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        local = Local(Path(folder))
        try:
            queries = [
                query_of(
                    "q",
                    *data.draw(st.lists(conditions, max_size=3).filter(is_allowed)),
                    order=data.draw(orders),
                    limit=data.draw(st.integers(0, 4)),
                )
                for _ in range(4)
            ]
            for query in queries:
                cut(query, data.draw(st.none() | small), data.draw(st.booleans()))
            for batch in (first, then):
                apply(local, batch)
                for query in queries:
                    unruled.setattr(execute, "SMALL", 10**9)
                    scanned = local.ids(query)
                    unruled.setattr(execute, "SMALL", 0)
                    assert local.ids(query) == scanned
                    assert local.count(query) == len(scanned)
        finally:
            local.engine.close()


def is_allowed(drawn: list[tuple[str, int, Any]]) -> bool:
    operators = [op for _, op, _ in drawn]
    return operators.count(NOT_IN) < 2 and operators.count(CONTAINS) < 2 and not {IN, NOT_IN} <= set(operators)


def cut(query: Any, at: Any, before: bool) -> None:
    if at is not None and query.order_by:
        query.start_at.values.append(value_of(at))
        query.start_at.before = before


def test_an_index_is_used_and_kept_over_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execute, "SMALL", 0)
    local = Local(tmp_path)
    local.commit(*(update(f"q/d{n}", {"n": n}) for n in range(9)))
    query = query_of("q", ("n", GREATER, 6))
    assert local.ids(query) == ["d7", "d8"]
    local.engine.close()
    local = Local(tmp_path)
    local.commit(update("q/new", {"n": 99}))
    assert local.ids(query) == ["d7", "d8", "new"]
    rows = local.engine.store.db.read().execute("SELECT count(*) FROM entries").fetchone()
    assert rows == (10,)
    local.engine.close()


def test_a_query_below_a_document_of_a_group_stays_below_it(local: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    local.commit(update("a/x/s/in", {"n": 1}), update("a/y/s/out", {"n": 1}))
    query = query_of("s")
    query.from_[0].all_descendants = True
    for threshold in (0, 100):
        monkeypatch.setattr(execute, "SMALL", threshold)
        plan = make_plan(f"{ROOT}/a/x", query)
        local.engine.executor.prepare(plan)
        with local.engine.store.snapshot() as connection:
            assert len(local.engine.executor.run(connection, plan)) == 1


def test_a_count_of_one_range_reads_no_document(local: Local, unruled: pytest.MonkeyPatch) -> None:
    unruled.setattr(execute, "SMALL", 0)
    local.commit(*(update(f"q/d{n}", {"n": n}) for n in range(9)))
    unruled.setattr(execute, "_entries", None)  # what joins documents to the entries of an index
    assert local.count(query_of("q", ("n", GREATER, 3))) == 5
    assert local.count(query_of("q", ("n", GREATER, 3), order="-n", limit=2)) == 2
    assert local.count(query_of("elsewhere")) == 0
    unruled.setattr(execute.Executor, "_by_name", None)
    assert local.count(query_of("q", limit=4)) == 4
    assert local.count(query_of("q", order="-__name__")) == 9
