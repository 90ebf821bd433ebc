"""The graph: what is said twice is there once, what is around a node, and what goes with a forgotten record."""

from __future__ import annotations

from datetime import timedelta

from shared.contracts.memory import Focus, Identity, RecordStatus, Topic
from shared.memory.forgetting import derived_writes
from shared.memory.keys import key_of
from shared.store.database import Database
from shared.store.graph import RECORDS_PER_NODE, node_id
from shared.store.topics import topic_id
from shared.store.workspace import WorkspaceStore
from tests.support.memories import SAID, a_record, remember
from tests.unit.memory.test_recall import edge, node


def test_a_node_keeps_the_newest_records_and_is_there_once(store: WorkspaceStore) -> None:
    for n in range(RECORDS_PER_NODE + 5):
        store.graph.add_node(node("Mila", f"r{n}"))
    store.graph.add_node(node("Mila", "r54"))
    (found,) = store.graph.nodes([node_id("mila")]).values()
    assert len(found.record_ids) == RECORDS_PER_NODE and found.record_ids[0] == "r54" and "r0" not in found.record_ids


def test_a_neighbourhood_ends_after_its_steps_and_says_when_there_was_more(store: WorkspaceStore) -> None:
    for name in ("A", "B", "C", "D"):
        store.graph.add_node(node(name, "r"))
    store.graph.add_edges([edge("A", "knows", "B", "r1"), edge("B", "knows", "C", "r2"), edge("C", "knows", "D", "r3")])
    near = store.graph.around(node_id("a"), 2, 10)
    assert {one.name for one in near.nodes} == {"A", "B", "C"} and len(near.edges) == 2 and not near.truncated
    few = store.graph.around(node_id("a"), 3, 2)
    assert len(few.nodes) == 2 and few.truncated
    store.graph.add_node(node("C", "another"))
    assert [one.name for one in store.graph.around(None, 1, 1).nodes] == ["C"]
    assert len(store.graph.around(None, 1, 10).nodes) == 4


def test_what_holds_no_more_or_is_excluded_is_not_shown(store: WorkspaceStore, database: Database) -> None:
    remember(
        database,
        a_record("now", "A knows B."),
        a_record("past", "A knew C.", status=RecordStatus.SUPERSEDED),
        a_record("wrong", "A knows D.", status=RecordStatus.RETRACTED),
        a_record("kept out", "A knows E.", excluded=True),
    )
    for name, record_id in (("B", "now"), ("C", "past"), ("D", "wrong"), ("E", "kept out")):
        store.graph.add_node(node("A", record_id))
        store.graph.add_node(node(name, record_id))
        store.graph.add_edges([edge("A", "knows", name, record_id)])
    for about in (node_id("a"), None):
        near = store.graph.around(about, 1, 10)
        assert {one.name for one in near.nodes} == {"A", "B"} and [one.record_id for one in near.edges] == ["now"]


def test_what_was_made_of_a_forgotten_record_goes_and_what_has_others_stays(
    store: WorkspaceStore, database: Database
) -> None:
    store.graph.add_node(node("Alone", "gone"))
    store.graph.add_node(node("Both", "gone", "kept"))
    store.graph.add_edges([edge("Alone", "knows", "Both", "gone"), edge("Both", "knows", "Me", "kept")])
    statements = (
        Identity.Statement(text="Secret.", record_ids=("gone", "kept")),
        Identity.Statement(text="Known.", record_ids=("kept",)),
    )
    store.identity.change(lambda _: Identity(statements=statements, updated_at=SAID), point="test")
    store.focus.change(
        lambda _: Focus(title="Move", summary="Secret.", record_ids=("gone", "kept"), updated_at=SAID), point="test"
    )
    for name, record_ids in (("alone", ("gone",)), ("both", ("gone", "kept"))):
        topic = Topic(id=topic_id(name), name=name, summary="Secret.", record_ids=record_ids, updated_at=SAID)
        store.topics.change(topic.id, lambda _, topic=topic: topic, point="test")

    database.commit(derived_writes(store, "gone", SAID + timedelta(days=1)), "test")

    assert [one.name for one in store.graph.newest(10)] == ["Both"]
    assert [one.record_id for one in store.graph.edges_at([node_id("both")], 10)] == ["kept"]
    identity, focus, topics = store.identity.find(), store.focus.find(), store.topics.list(10)
    assert identity is not None and [one.text for one in identity.statements] == ["Known."]
    assert focus is not None and (focus.title, focus.summary, focus.record_ids) == ("Move", "", ("kept",))
    assert [(one.name, one.summary, one.record_ids) for one in topics] == [("both", "", ("kept",))]


def test_whoever_is_just_writing_the_identity_sees_that_a_record_is_gone(
    store: WorkspaceStore, database: Database
) -> None:
    """The state that was read before the record went is refused."""
    store.identity.change(lambda _: Identity(updated_at=SAID), point="test")
    tries: list[int] = []

    def decide(_current: Identity | None) -> Identity | None:
        tries.append(1)
        if len(tries) == 1:
            database.commit(derived_writes(store, "gone", SAID), "test")
        return Identity(updated_at=SAID) if len(tries) == 1 else None

    assert not store.identity.change(decide, point="test") and len(tries) == 2


def test_the_same_subject_has_one_key() -> None:
    assert key_of("I") == key_of("myself") == key_of("Me") == "me"
    assert key_of("The Harbour  Office") == key_of("harbour office") and key_of("Café") == "cafe"
    assert key_of("a") == "a" and key_of("?!") == ""
