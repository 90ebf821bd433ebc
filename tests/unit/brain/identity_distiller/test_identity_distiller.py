"""Who the person is: only what records of them say, the newest of each property, and nothing of what is gone."""

from __future__ import annotations

import json
from datetime import timedelta

from shared.brain.agents.identity_distiller.agent import AGENT
from shared.contracts.memory import RecordStatus, RecordType
from shared.llm.port import Text
from shared.memory.forgetting import derived_writes
from shared.store.database import Database
from shared.store.records import removing
from shared.store.workspace import WorkspaceStore
from tests.support.desks import a_desk, worked
from tests.support.memories import SAID, a_record, remember
from tests.support.scripted_model import ScriptedModel
from tests.support.seams import FakeClock


def said(store: WorkspaceStore) -> list[tuple[str, tuple[str, ...]]]:
    identity = store.identity.find()
    return [(one.text, one.record_ids) for one in identity.statements] if identity is not None else []


def test_by_rule_lasting_statements_of_the_person_stand_with_their_records(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    later = SAID + timedelta(days=1)
    remember(
        database,
        a_record("old", "I like tea.", property="drink", type=RecordType.PREFERENCE, object="tea"),
        a_record("new", "I like tea most.", property="drink", type=RecordType.PREFERENCE, object="tea", at=later),
        a_record("gone", "I live in Tarn.", status=RecordStatus.SUPERSEDED),
        a_record("plan", "I plan to paint the hall.", type=RecordType.PLAN),
        a_record("other", "Mila keeps bees.", "Mila"),
    )
    worked(AGENT, {}, a_desk(store, clock), database)
    assert said(store) == [("I like tea most.", ("new",))]


def test_a_sentence_without_records_that_were_shown_is_left_out(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    remember(database, a_record("r1", "I like tea."))
    answer = {
        "statements": [
            {"text": "They like tea.", "record_ids": ["r1"]},
            {"text": "They are rich.", "record_ids": []},
            {"text": "They are old.", "record_ids": ["invented"]},
        ]
    }
    with ScriptedModel([Text(json.dumps(answer))]) as model:
        worked(AGENT, {}, a_desk(store, clock, model), database)
    assert said(store) == [("They like tea.", ("r1",))]


def test_what_came_while_it_was_written_has_a_job_of_its_own(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    remember(database, a_record("r1", "I like tea."))

    def coming(_request: object) -> list[Text]:
        remember(database, a_record("r2", "I keep bees.", at=SAID + timedelta(days=1)))
        return [Text('{"statements": [{"text": "They like tea.", "record_ids": ["r1"]}]}')]

    with ScriptedModel(coming) as model:
        outcome = worked(AGENT, {}, a_desk(store, clock, model), database)
    (job,) = outcome.enqueue
    again = AGENT.input.model_validate(job.input)
    assert job.kind == AGENT.id and AGENT.idempotency_key(again) != AGENT.idempotency_key(AGENT.input())
    assert worked(AGENT, job.input, a_desk(store, clock), database).enqueue == ()


def test_a_record_that_is_forgotten_meanwhile_leaves_no_sentence(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    remember(database, a_record("r1", "I like tea."), a_record("r2", "I fear geese."))

    def forgetting(_request: object) -> list[Text]:
        database.commit([removing("r2"), *derived_writes(store, "r2", clock.now())], "test")
        return [
            Text(
                '{"statements": [{"text": "They like tea.", "record_ids": ["r1"]},'
                '{"text": "They fear geese.", "record_ids": ["r2"]}]}'
            )
        ]

    with ScriptedModel(forgetting) as model:
        worked(AGENT, {}, a_desk(store, clock, model), database)
    assert said(store) == [("They like tea.", ("r1",))]
