"""An index that large commits left behind is brought up to date by the query that wants it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from infra.local.firestore import commit, execute, upkeep
from tests.unit.local.firestore.harness import Local, delete, query_of, update

values = st.none() | st.integers(0, 5)
commits = st.dictionaries(st.integers(0, 9), values, min_size=1, max_size=6)
steps = st.lists(commits | st.sampled_from(["query", "prune", "forget", "reopen"]), max_size=12)


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three documents are a large commit, and every collection is indexed."""
    monkeypatch.setattr(commit, "LARGE", 3)
    monkeypatch.setattr(execute, "SMALL", 0)


@pytest.mark.usefixtures("eager")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=steps)
def test_a_query_sees_every_commit_large_or_small(steps: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        local, known = Local(Path(folder)), dict[int, int]()
        for step in [*steps, "query"]:
            if isinstance(step, dict):
                local.commit(*(_write(number, value) for number, value in step.items()))
                known = {number: n for number, n in {**known, **step}.items() if n is not None}
            elif step == "query":
                expected = [f"d{each}" for each in sorted(known, key=lambda number: (known[number], number))]
                assert local.ids(query_of("q", order="n")) == expected
            elif step == "reopen":
                local.engine.close()
                local = Local(Path(folder))
            else:
                log = local.engine.log
                (log.prune if step == "prune" else log.forget_contents)(log.last_seq())
        local.engine.close()


def _write(number: int, value: int | None) -> Any:
    return delete(f"q/d{number}") if value is None else update(f"q/d{number}", {"n": value, "number": number})


@pytest.mark.usefixtures("eager")
def test_a_large_commit_writes_no_entries_until_somebody_asks(local: Local) -> None:
    query = query_of("q", order="n")
    local.commit(update("q/d0", {"n": 0}))
    assert local.ids(query) == ["d0"]
    local.commit(*(update(f"q/d{n}", {"n": n}) for n in range(1, 9)))
    assert _entries(local) == 1
    assert local.ids(query) == [f"d{n}" for n in range(9)]
    assert _entries(local) == 9


@pytest.mark.usefixtures("eager")
def test_a_snapshot_that_sees_an_index_left_behind_looks_at_every_document(local: Local) -> None:
    query = query_of("q", order="n")
    local.commit(update("q/d0", {"n": 0}))
    transaction = local.begin()
    assert local.ids(query, transaction) == ["d0"]
    local.commit(*(update(f"q/d{n}", {"n": n}) for n in range(1, 9)))
    assert upkeep.behind(local.engine.store.db.read())
    with pytest.raises(Exception, match="contention"):
        local.commit(update("other/x", {}), transaction=transaction)


@pytest.mark.usefixtures("eager")
def test_a_refused_commit_leaves_no_index_behind(local: Local) -> None:
    local.commit(update("q/d0", {"n": 0}))
    local.ids(query_of("q", order="n"))
    writes = [update(f"q/d{n}", {"n": n}) for n in range(1, 9)]
    writes[-1].current_document.exists = True
    with pytest.raises(Exception, match="No document"):
        local.commit(*writes)
    assert not upkeep.behind(local.engine.store.db.read())


def _entries(local: Local) -> int:
    count: int = local.engine.store.db.read().execute("SELECT count(*) FROM entries").fetchone()[0]
    return count
