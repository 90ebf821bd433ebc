"""Relevance: a word on each record, by a model or by rule, nothing stored, and no recall that fails for want of it."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from shared.brain.agents.relevance_judge.agent import AGENT
from shared.brain.agents.relevance_judge.annotating import annotated
from shared.brain.agents.relevance_judge.rules import judged
from shared.brain.models import Roles
from shared.brain.recalling import Recalling
from shared.contracts.recall import RecallAnswer, RecallHit
from shared.errors import Transient
from shared.gateway.transport import Cut
from shared.llm.port import Models, Text
from shared.memory.recall import Recall, matched
from shared.search.query import parsed
from shared.store.database import Database
from shared.store.workspace import WorkspaceStore
from tests.support.desks import a_desk, worked
from tests.support.memories import SAID, a_record, remember
from tests.support.scripted_model import ScriptedModel
from tests.support.seams import FakeClock


@pytest.fixture
def answer(store: WorkspaceStore, database: Database) -> RecallAnswer:
    remember(
        database,
        a_record("birthday", "Mila's birthday is on 3 May.", "Mila", property="birthday"),
        a_record("bees", "Mila keeps bees.", "Mila"),
    )
    return Recall(store).recall("When is Mila's birthday?")


def test_by_rule_a_record_with_most_of_the_words_is_relevant_and_says_which(answer: RecallAnswer) -> None:
    judged = annotated("When is Mila's birthday?", answer, None, Cut())
    hits = {hit.record.id: hit for hit in judged.hits}
    assert (hits["birthday"].relevant, hits["bees"].relevant) == (True, False) and judged.judged_by == "rules"
    assert "mila" in hits["birthday"].annotation and "birthday" in hits["bees"].annotation


def test_a_model_judges_those_it_names_and_the_rule_the_others(answer: RecallAnswer) -> None:
    said = {"judgements": [{"id": "birthday", "relevant": False, "why": "It is another Mila."}]}
    with ScriptedModel([Text(json.dumps(said))]) as model:
        judged = annotated("When is Mila's birthday?", answer, model, Cut())
    hits = {hit.record.id: hit for hit in judged.hits}
    assert hits["birthday"].annotation == "It is another Mila." and hits["birthday"].relevant is False
    assert hits["bees"].relevant is False and judged.judged_by == "scripted-1" and judged.usage.input_tokens == 10


def test_a_model_that_is_away_leaves_it_to_the_rule(answer: RecallAnswer) -> None:
    with ScriptedModel([Transient("away")]) as model:
        judged = annotated("When is Mila's birthday?", answer, model, Cut())
    assert judged.judged_by == "rules" and all(hit.annotation for hit in judged.hits)


def test_as_an_agent_its_answer_is_its_output_and_nothing_is_written(
    store: WorkspaceStore, database: Database, clock: FakeClock, answer: RecallAnswer
) -> None:
    outcome = worked(AGENT, {"query": "Mila's birthday"}, a_desk(store, clock), database)
    first = outcome.output["hits"][0]
    assert first["record_id"] == "birthday" and first["links"] == ("#/notes/note-birthday",)
    assert (outcome.writes, outcome.events, outcome.enqueue) == ((), (), ()) and len(answer.hits) == 2


def judgement(query: str, text: str, subject: str = "me", as_of: datetime | None = None, **fields: Any) -> bool | None:
    record = a_record("r1", text, subject, **fields)
    hit = RecallHit(record=record, score=1.0, matched=matched(record, parsed(query)))
    return judged(query, hit, as_of).relevant


def test_by_rule_the_name_that_is_asked_about_must_be_there_and_is_not_enough() -> None:
    assert judgement("When is Mila's birthday?", "Mila's birthday is on 3 May.", "Mila")
    assert not judgement("When is Orlin's birthday?", "Mila's birthday is on 3 May.", "Mila")
    assert not judgement("What is Mila allergic to?", "We met Mila in town.")
    assert judgement("Mila", "Mila keeps bees.", "Mila")


def test_by_rule_a_word_counts_in_any_form() -> None:
    assert judgement("Which language do I speak fluently?", "I speak Portuguese fluently.")
    assert judgement("When did Ansel turn forty?", "Ansel turned forty on 6 November.", "Ansel")


def test_by_rule_what_the_graph_leads_to_needs_no_name() -> None:
    record = a_record("r1", "Ilse works at the library.", "Ilse")
    hit = RecallHit(record=record, score=1.0, matched=("wife", "work"))
    assert not judged("Where does Bram's wife work?", hit).relevant
    assert judged("Where does Bram's wife work?", hit.model_copy(update={"linked": True})).relevant


def test_by_rule_what_was_said_later_without_a_date_tells_nothing_of_a_day() -> None:
    before, after = SAID - timedelta(days=1), SAID + timedelta(days=1)
    assert not judgement("Where do I live?", "I live in Velm.", as_of=before)
    assert judgement("Where do I live?", "I live in Velm.", as_of=after)
    assert judgement("Where do I live?", "I live in Velm.", as_of=before, valid_from=before)


def test_by_rule_one_part_of_a_question_is_enough_and_keeps_whom_it_is_about() -> None:
    question = "What is Tesse's job, and what is her daughter called?"
    assert judgement(question, "Tesse's daughter is called Wren.", "Tesse")
    assert not judgement(question, "Mila's daughter is called Ada.", "Mila")
    assert judgement("How much is the rent, and when is it due?", "The rent is 940 crowns.", "rent")


def test_a_recall_asks_the_judge_of_the_settings_only_where_that_is_wanted(
    store: WorkspaceStore, answer: RecallAnswer
) -> None:
    question = "When is Mila's birthday?"
    with ScriptedModel([Text('{"judgements": []}')]) as model:
        recalling = Recalling(lambda: store, Roles(lambda: Models(plan=model), by_rule=False))
        assert recalling.recall(question).judged_by == "rules"
        assert recalling.recall(question, by_model=True).judged_by == "scripted-1"
        by_rule = Recalling(lambda: store, Roles(lambda: Models(plan=model), by_rule=True))
        assert by_rule.recall(question, by_model=True).judged_by == "rules"
    assert len(recalling.recall(question).hits) == len(answer.hits)
