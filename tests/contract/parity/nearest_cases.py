"""Random searches for the nearest vectors: measures, thresholds, result fields, limits, filters, and refusals."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from infra.local.firestore import wire
from tests.contract.parity.query_cases import run_query
from tests.contract.parity.step import Script, Step
from tests.contract.parity.values import DATABASE, ROOT, any_paths, document, map_of, value, values, vector_of

NAMES = [f"{ROOT}/v/{number}" for number in "1234567"]
_numbers = st.sampled_from([0.0, 1.0, -1.0, 2.0, 0.5, -2.5, 3.0])
_vectors = st.lists(_numbers, min_size=2, max_size=2).map(vector_of)
_held = st.one_of(_vectors, _vectors, _vectors, st.lists(_numbers, min_size=1, max_size=3).map(vector_of), values)


def _document(name: str, vector: Any, nested: Any, kind: int) -> Any:
    entries = {"e": vector, "n": map_of({"e": nested}), "k": value(integer_value=kind)}
    return wire.Write(update=document(entries, name))


_corpora = st.lists(
    st.builds(_document, st.sampled_from(NAMES), _held, _held, st.integers(0, 1)),
    min_size=1,
    max_size=7,
    unique_by=lambda write: write.update.name,
).map(lambda writes: Step("Commit", wire.message("CommitRequest")(database=DATABASE, writes=writes)))


@st.composite
def _searches(draw: Any, odd: bool) -> Step:
    query = wire.StructuredQuery()
    query.from_.add().collection_id = "v"
    if draw(st.booleans()):
        query.where.field_filter.field.field_path, query.where.field_filter.op = "k", 5
        query.where.field_filter.value.integer_value = draw(st.integers(0, 1))
    nearest = query.find_nearest
    nearest.vector_field.field_path = draw(any_paths if odd else st.sampled_from(["e", "e", "n.e"]))
    nearest.query_vector.CopyFrom(draw(st.one_of(_vectors, values) if odd else _vectors))
    nearest.distance_measure = draw(st.integers(0 if odd else 1, 3))
    nearest.distance_result_field = draw(any_paths if odd else st.sampled_from(["d", "d", "e", "k", "`a b`", "`a.b`"]))
    if draw(st.booleans()):
        nearest.distance_threshold.value = draw(st.sampled_from([0.0, 0.25, 0.6, 1.1, 2.1, -1.0, -0.1, 100.0]))
    if not odd or draw(st.booleans()):
        nearest.limit.value = draw(st.sampled_from([-1, 0, 1000, 1001]) if odd else st.integers(1, 8))
    if draw(st.sampled_from([True, False, False])):
        query.select.SetInParent()
        for path in draw(st.lists(st.sampled_from(["k", "e", "d", "n.e", "__name__"]), min_size=1, max_size=2)):
            query.select.fields.add(field_path=path)
    if odd and draw(st.booleans()):
        query.limit.value = draw(st.integers(0, 3))
    if odd and draw(st.booleans()):
        query.order_by.add(direction=1).field.field_path = draw(st.sampled_from(["k", "__name__"]))
    return Step("RunQuery", run_query(ROOT, query))


def _script(corpus: Step, searches: list[Step]) -> Script:
    return [corpus, *searches]


nearest = st.builds(_script, _corpora, st.lists(_searches(odd=False), min_size=1, max_size=4))
odd_nearest = st.builds(_script, _corpora, st.lists(_searches(odd=True), min_size=1, max_size=3))
