"""Recall: what is found, in which order, what never is, as of when, with which links, at what cost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from shared.contracts.memory import Edge, Node, RecordStatus, SourceKind, SourceRef
from shared.memory.recall import READS, Recall
from shared.store.database import Database
from shared.store.graph import edge_id, node_id
from shared.store.workspace import WorkspaceStore
from tests.support.memories import SAID, a_record, remember


def day(month: int, number: int = 1) -> datetime:
    return datetime(2026, month, number, tzinfo=timezone.utc)


def pointing(*first: float) -> list[float]:
    """A vector of the size that the index takes."""
    return [*first, *([0.0] * (768 - len(first)))]


def found(store: WorkspaceStore, query: str, **given: Any) -> list[str]:
    return [hit.record.id for hit in Recall(store).recall(query, **given).hits]


class Directions:
    """An embedder whose texts point where a test says."""

    name = "directions"

    def __init__(self, **known: Sequence[float]) -> None:
        self._known = known

    def embed(self, texts: Sequence[str], *, query: bool = False, cut: object = None) -> list[list[float]]:
        return [list(self._known[text]) for text in texts]


def test_forms_of_the_words_find_a_record_and_the_best_is_first(store: WorkspaceStore, database: Database) -> None:
    remember(
        database,
        a_record("r1", "Orlin works at the harbour office.", "Orlin", property="employer", object="harbour office"),
        a_record("r2", "Orlin likes harbours, boats and old harbour maps.", "Orlin"),
        a_record("r3", "The bread needs fourteen hours.", "bread"),
    )
    assert found(store, "Where is Orlin working?")[0] == "r1"
    assert set(found(store, "harbour")) == {"r1", "r2"} and found(store, "penguins") == []


def test_what_was_superseded_is_found_as_of_a_day_and_what_was_retracted_never(
    store: WorkspaceStore, database: Database
) -> None:
    old = a_record("old", "I live in Tarn.", valid_to=day(6), status=RecordStatus.SUPERSEDED, superseded_by="new")
    remember(
        database,
        old,
        a_record("new", "I live in Velm.", valid_from=day(6)),
        a_record("wrong", "I live in Oss.", status=RecordStatus.RETRACTED),
    )
    assert found(store, "where do I live") == ["new"]
    assert found(store, "where do I live", as_of=day(3)) == ["old"]
    assert found(store, "where do I live", as_of=day(6)) == ["new"]


def test_an_excluded_record_is_never_recalled_by_words_by_vector_or_by_the_graph(
    store: WorkspaceStore, database: Database
) -> None:
    remember(database, a_record("r1", "Mila keeps bees.", "Mila", excluded=True), vectors=[pointing(1.0)])
    store.graph.add_node(node("Mila", "r1"))
    embedder = Directions(**{"bees of Mila": pointing(1.0)})
    for as_of in (None, day(12)):
        assert Recall(store, lambda: embedder).recall("bees of Mila", as_of=as_of).hits == ()


def test_a_pinned_record_that_fits_comes_first_and_one_that_does_not_stays_away(
    store: WorkspaceStore, database: Database
) -> None:
    remember(
        database,
        a_record("best", "The garden gate: the garden key hangs behind the garden door.", "garden"),
        a_record("pinned", "We water the garden on Mondays.", pinned=True),
        a_record("other", "I am allergic to nuts.", pinned=True),
    )
    assert found(store, "garden key") == ["pinned", "best"]


def test_a_meaning_without_a_common_word_is_found_by_its_vector(store: WorkspaceStore, database: Database) -> None:
    remember(
        database,
        a_record("r1", "I commute by bicycle."),
        a_record("r2", "The cellar is damp."),
        vectors=[pointing(1.0), pointing(0.0, 1.0)],
    )
    embedder = Directions(**{"getting to work": pointing(0.96, 0.28)})
    assert [hit.record.id for hit in Recall(store, lambda: embedder).recall("getting to work").hits] == ["r1"]


def node(name: str, *record_ids: str) -> Node:
    key = name.lower()
    return Node(id=node_id(key), key=key, name=name, kind="person", record_ids=record_ids, updated_at=SAID)


def edge(source: str, label: str, target: str, record_id: str) -> Edge:
    ends = node_id(source.lower()), node_id(target.lower())
    name = edge_id(*ends, label, record_id)
    return Edge(id=name, source=ends[0], target=ends[1], label=label, record_id=record_id, updated_at=SAID)


def test_the_graph_leads_to_records_of_neighbours(store: WorkspaceStore, database: Database) -> None:
    remember(
        database,
        a_record("r1", "Ilse is the sister of Bram.", "Bram", object="Ilse"),
        a_record("r2", "She repairs clocks in Velm.", "Ilse"),
        a_record("r3", "Somebody else altogether.", "Orlin"),
    )
    store.graph.add_node(node("Bram", "r1"))
    store.graph.add_node(node("Ilse", "r1", "r2"))
    store.graph.add_edges([edge("Bram", "sister", "Ilse", "r1")])
    hits = Recall(store).recall("Bram's sister").hits
    assert [(hit.record.id, hit.linked) for hit in hits] == [("r1", True), ("r2", True)]


def test_each_hit_links_to_where_it_was_said(store: WorkspaceStore, database: Database) -> None:
    turn = SourceRef(kind=SourceKind.TURN, id="t1", session_id="s1", quote="I said so", said_at=day(11, 2))
    again = turn.model_copy(update={"id": "t2", "said_at": day(11, 3), "quote": "again"})
    page = SourceRef(kind=SourceKind.DOCUMENT, id="d1", said_at=SAID, title="Lease.pdf")
    record = a_record("r1", "The rent is 900.", "rent")
    remember(database, record.model_copy(update={"sources": (*record.sources, turn, again, page)}))
    (hit,) = Recall(store).recall("rent").hits
    assert [one.link for one in hit.links] == ["#/chat/s1", "#/notes/note-r1", "#/documents/d1"]
    assert hit.links[0].quote == "again" and hit.matched == ("rent",)


def test_a_question_without_words_finds_nothing_and_says_why(store: WorkspaceStore) -> None:
    answer = Recall(store).recall("?!")
    assert answer.hits == () and "no word" in answer.message


@pytest.mark.slow
def test_the_number_of_documents_read_is_bounded_however_many_records_there_are(
    store: WorkspaceStore, database: Database
) -> None:
    for start in range(0, 400, 50):
        records = [
            a_record(f"r{n}", f"The garden of Mila number {n}.", "Mila", at=SAID + timedelta(minutes=n))
            for n in range(start, start + 50)
        ]
        remember(database, *records)
    store.graph.add_node(node("Mila", *(f"r{n}" for n in range(50))))
    answer = Recall(store).recall("the garden of Mila", limit=20)
    assert len(answer.hits) == 20 and answer.looked_at <= READS
