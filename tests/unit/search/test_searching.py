"""Searching a workspace: what is found, in which order, behind which filters, at what cost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timezone
from typing import Any

import pytest
from google.cloud.firestore_v1 import Client

from shared.contracts.notes import Note, NoteKind
from shared.enrich.indexing import State, indexed
from shared.errors import Transient
from shared.search import service
from shared.search.service import Search
from shared.store.workspace import WorkspaceStore

MADE = datetime(2026, 11, 1, tzinfo=timezone.utc)


def put(client: Client, store: WorkspaceStore, note_id: str, title: str, body: str = "", **fields: Any) -> None:
    """A note and its index, as they are stored."""
    vector = fields.pop("vector", None)
    note = Note(id=note_id, title=title, body=body, **{"created_at": MADE, "updated_at": MADE, **fields})
    client.document(f"workspaces/{store.workspace}/notes/{note_id}").set(note.model_dump())
    index = indexed(State(note, MADE), None)
    store.note_index.change(note_id, lambda _: index, embedding=vector, point="test")


def found(store: WorkspaceStore, query: str, **filters: Any) -> list[str]:
    return [hit.id for hit in Search(store).search(query, limit=filters.pop("limit", 20), **filters).hits]


def test_forms_of_a_word_are_found_in_titles_bodies_and_tags(firestore: Client, store: WorkspaceStore) -> None:
    put(firestore, store, "title", "Batteries in winter")
    put(firestore, store, "body", "Notes", "The battery was cold and the meter ran.")
    put(firestore, store, "tag", "Notes", "Something else", tags=("battery",))
    put(firestore, store, "none", "Bread", "Rye ferments")
    assert found(store, "battery ")[0] == "title" and set(found(store, "battery ")) == {"title", "body", "tag"}


def test_the_last_word_is_found_by_its_beginning(firestore: Client, store: WorkspaceStore) -> None:
    put(firestore, store, "n", "Roof", "The photovoltaic modules are old.")
    for typed in ("pho", "photo", "photovol", "photovoltaics"):
        assert found(store, f"roof {typed}") == ["n"] and found(store, typed) == ["n"], typed
    assert found(store, "phox") == []


def test_accents_and_case_make_no_difference(firestore: Client, store: WorkspaceStore) -> None:
    put(firestore, store, "n", "Café in Zürich", "Die Häuser am See")
    assert found(store, "CAFE ") == found(store, "zurich ") == found(store, "haus ") == ["n"]


def test_the_note_with_more_of_the_words_is_first(firestore: Client, store: WorkspaceStore) -> None:
    put(firestore, store, "one", "A", "solar solar solar panels on the roof")
    put(firestore, store, "both", "B", "solar panels charge the battery")
    put(firestore, store, "other", "C", "nothing of that kind")
    assert found(store, "solar battery ") == ["both", "one"]


def test_a_sign_is_found_as_it_stands_in_titles_and_bodies(firestore: Client, store: WorkspaceStore) -> None:
    put(firestore, store, "old", "🍞 Rye", created_at=datetime(2026, 10, 1, tzinfo=timezone.utc))
    put(firestore, store, "new", "Baking", "First the starter. Then I ❤\ufe0f the crust 🍞.", tags=("bread",))
    put(firestore, store, "none", "Bicycle", "No sign here.")
    assert found(store, "🍞") == ["new", "old"] and found(store, " ❤ ") == found(store, "❤\ufe0f") == ["new"]
    assert found(store, "🍞", before=date(2026, 11, 1)) == ["old"] and found(store, "🍞", tag="bread") == ["new"]
    assert found(store, "🍞", after=date(2026, 11, 1)) == found(store, "🍞", limit=1) == ["new"]
    answer = Search(store).search("🍞", limit=5)
    assert answer.hits[0].excerpt == "…Then I ❤\ufe0f the crust 🍞." and "no word" in answer.message


@pytest.mark.parametrize("query", ["?", "...", "—", " ", "\u200b", "=>"])
def test_punctuation_alone_finds_nothing_and_says_why(store: WorkspaceStore, query: str) -> None:
    answer = Search(store).search(query, limit=5)
    assert (answer.hits, answer.looked_at) == ((), 0) and "give one" in answer.message


def test_filters_hold(firestore: Client, store: WorkspaceStore) -> None:
    put(firestore, store, "old", "Solar", created_at=datetime(2026, 10, 1, tzinfo=timezone.utc), tags=("a",))
    put(firestore, store, "new", "Solar", tags=("b",))
    put(firestore, store, "report", "Solar", kind=NoteKind.RESEARCH, tags=("a",))
    assert set(found(store, "solar ", tag="a")) == {"old", "report"}
    assert set(found(store, "solar ", kind="capture")) == {"old", "new"}
    assert set(found(store, "solar ", after=date(2026, 11, 1))) == {"new", "report"}
    assert found(store, "solar ", before=date(2026, 11, 1)) == ["old"]
    assert found(store, "solar ", kind="capture", tag="a", before=date(2026, 11, 1)) == ["old"]


def test_a_note_that_is_gone_is_no_hit_though_its_index_is_there(firestore: Client, store: WorkspaceStore) -> None:
    put(firestore, store, "n", "Solar")
    firestore.document(f"workspaces/{store.workspace}/notes/n").delete()
    assert found(store, "solar ") == []


def test_another_workspace_is_not_seen(firestore: Client, store: WorkspaceStore) -> None:
    put(firestore, store, "n", "Solar")
    firestore.document(f"workspaces/{store.workspace}x/notes/m").set({"title": "Solar"})
    assert found(store, "solar ") == ["n"]


def test_what_is_read_is_bounded_and_a_rare_word_is_found_behind_frequent_ones(
    firestore: Client, store: WorkspaceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "CANDIDATES", 20)
    for number in range(60):
        put(firestore, store, f"n{number}", f"Log {number}", "The battery was charged again.")
    old = datetime(2020, 1, 1, tzinfo=timezone.utc)
    put(firestore, store, "rare", "Old", "A battery beside a zebra.", created_at=old)
    put(firestore, store, "titled", "The battery", "Old and good.", created_at=old)
    answer = Search(store).search("battery zebra ", limit=10)
    assert answer.hits[0].id == "rare" and answer.looked_at <= 20 + 30 + 2 * 24
    assert "titled" in found(store, "battery ")


class Embedder:
    name = "embedder"

    def __init__(self, *vector: float, error: Exception | None = None) -> None:
        self.vector, self.error = vector, error

    def embed(self, texts: Sequence[str], *, query: bool = False, cut: Any = None) -> list[list[float]]:
        if self.error is not None:
            raise self.error
        return [[*self.vector, *[0.0] * (768 - len(self.vector))] for _ in texts]


def vector(*first: float) -> list[float]:
    return [*first, *[0.0] * (768 - len(first))]


def test_meaning_finds_what_words_do_not_and_leaves_out_what_is_far(firestore: Client, store: WorkspaceStore) -> None:
    put(firestore, store, "words", "Solar", vector=vector(0.0, 1.0))
    put(firestore, store, "meaning", "Photovoltaic", vector=vector(1.0))
    put(firestore, store, "far", "Bread", vector=vector(0.0, 0.0, 1.0))
    hits = Search(store, lambda: Embedder(1.0, 0.1)).search("solar ", limit=5).hits
    assert {hit.id for hit in hits} == {"words", "meaning"}


def test_without_an_answer_of_the_embedding_model_words_decide(firestore: Client, store: WorkspaceStore) -> None:
    put(firestore, store, "words", "Solar")
    search = Search(store, lambda: Embedder(error=Transient("away")))
    assert [hit.id for hit in search.search("solar ", limit=5).hits] == ["words"]
