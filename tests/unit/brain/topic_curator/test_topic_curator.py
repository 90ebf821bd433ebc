"""Topics: what several records are about, by rule or by a model, and never on records that are not there."""

from __future__ import annotations

import json

from shared.brain.agents.topic_curator.agent import AGENT
from shared.llm.port import Text
from shared.store.database import Database
from shared.store.workspace import WorkspaceStore
from tests.support.desks import a_desk, worked
from tests.support.memories import a_record, remember
from tests.support.scripted_model import ScriptedModel
from tests.support.seams import FakeClock
from tests.unit.memory.test_recall import node


def known(store: WorkspaceStore, database: Database) -> None:
    remember(database, *(a_record(f"r{n}", f"The roof has {n} holes.", "roof") for n in range(3)))
    store.graph.add_node(node("Roof", "r0", "r1", "r2", "gone"))
    store.graph.add_node(node("Me", "r0", "r1", "r2"))
    store.graph.add_node(node("Boat", "r0"))


def test_by_rule_a_node_of_three_records_is_a_topic_and_the_person_is_none(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    known(store, database)
    for _ in range(2):
        worked(AGENT, {}, a_desk(store, clock), database)
    (topic,) = store.topics.list(10)
    assert (topic.name, topic.record_ids) == ("Roof", ("r0", "r1", "r2")) and "The roof has 0 holes." in topic.summary


def test_a_topic_of_a_model_rests_on_two_records_that_are_there(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    known(store, database)
    said = [
        {"name": "Roof repair", "summary": "It leaks.", "record_ids": ["r0", "r1", "invented"]},
        {"name": "Rumours", "summary": "Nobody knows.", "record_ids": ["r0", "invented"]},
    ]
    with ScriptedModel([Text(json.dumps({"topics": said}))]) as model:
        outcome = worked(AGENT, {}, a_desk(store, clock, model), database)
    assert [(one.name, one.record_ids) for one in store.topics.list(10)] == [("Roof repair", ("r0", "r1"))]
    assert outcome.output["topics"] == 1


def test_with_nothing_to_curate_no_model_is_asked(store: WorkspaceStore, database: Database, clock: FakeClock) -> None:
    with ScriptedModel() as model:
        assert worked(AGENT, {}, a_desk(store, clock, model), database).output["topics"] == 0
