"""Runs that a chat began: the tool, the answer in the session's stream, and in what the next turn is told."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pydantic import ValidationError

from shared.chat.history import exchange_of
from shared.chat.sessions import create
from shared.contracts.chat import SessionCreate, TurnStatus
from shared.contracts.runs import RunStatus
from shared.errors import SettingsError, Transient
from shared.ids import UlidSource
from shared.llm.port import Model, Text
from shared.runs.from_chat import wanted_by
from shared.runs.ports import Key
from shared.runs.reconciling import RunReconciler
from shared.store.system import SystemStore
from shared.tools import start_run
from shared.tools.catalogue import acting, looking
from shared.tools.tool import Job
from tests.support.jobs import job
from tests.unit.runs.world import GOAL, MakeWorld, World, plan, step


def session(world: World) -> str:
    ids = UlidSource(world.clock, random.Random(3))
    return create(world.store, SessionCreate(), clock=world.clock, ids=ids, key=None)[0].id


class Services:
    """What the tool starts a run by."""

    def __init__(self, world: World) -> None:
        self._world = world

    def start_run(self, goal: str, actor: str, effect: Any) -> dict[str, str]:
        wanted = wanted_by(self._world.store, goal, actor)
        return self._world.runs.begin_once(self._world.workspace, wanted, effect)


def call(world: World, session_id: str, key: str = "effect_1") -> Job:
    made: Job = job(
        world.store,
        world.clock,
        key,
        services=Services(world),
        actor=f"chat_sessions/{session_id}",  # type: ignore[arg-type]
    )
    return made


def test_the_tool_starts_one_run_however_often_it_is_called_for_one_effect(make_world: MakeWorld) -> None:
    world = make_world()
    session_id = session(world)
    arguments = start_run.Arguments(goal=GOAL)
    first = start_run.run(call(world, session_id), arguments)
    again = start_run.run(call(world, session_id), arguments)
    assert first == again and first["status"] == "queued"
    run = world.store.runs.get(first["run_id"])
    assert run.session_id == session_id and run.user == f"chat_sessions/{session_id}"
    assert len(world.store.runs.list(limit=5)[0]) == 1


def test_a_goal_that_shows_nothing_is_a_call_to_mend() -> None:
    with pytest.raises(ValidationError):
        start_run.Arguments(goal="\u200b\u200b")


def test_a_run_whose_steps_have_no_model_is_refused_before_anything_is_paid(make_world: MakeWorld) -> None:
    world = make_world()

    def none() -> Model:
        raise SettingsError("Set WORK_MODEL.")

    runs = world.other(work_model=none)
    wanted = wanted_by(world.store, GOAL, f"chat_sessions/{session(world)}")
    with pytest.raises(SettingsError):
        runs.begin_once(world.workspace, wanted, job(world.store, world.clock).effect)
    assert world.store.runs.list(limit=5)[0] == ()


def test_steps_cannot_start_runs_and_chats_only_where_runs_are_on() -> None:
    assert "start_run" not in [spec.name for spec in looking().specs()]
    assert "start_run" not in [spec.name for spec in acting().specs()]
    assert "start_run" in [spec.name for spec in acting(runs=True).specs()]


def test_the_tools_of_steps_change_nothing() -> None:
    names = {spec.name for spec in looking().specs()}
    assert {"search_notes", "read_note", "web_search", "search_documents"} <= names
    assert not names & {"create_note", "update_note", "create_tasks", "update_task", "start_research"}


def test_its_answer_is_said_in_the_chat_once_and_is_in_its_history(make_world: MakeWorld) -> None:
    world = make_world()
    session_id = session(world)
    key = world.begin(step("a"), session_id=session_id)
    assert world.drive(key).status is RunStatus.SUCCEEDED
    world.runs.cancel(world.workspace, key.run_id)  # whoever comes later tells nothing twice
    events = world.store.streams.read(f"chat_sessions/{session_id}")
    assert [event.type for event in events] == ["run_answer"]
    data = events[0].data
    assert data["run_id"] == key.run_id and data["status"] == "succeeded" and "The answer: this [1]" in data["text"]
    assert data["note_id"] == world.run(key).answer_note_id and "turn_id" not in data
    [turn] = world.store.chats.turns(session_id, after=0, limit=10)
    assert turn.status is TurnStatus.COMPLETED and turn.n == 1
    person, answer = exchange_of(turn)
    assert GOAL in str(person.parts) and "The answer: this [1]" in str(answer.parts)
    assert world.store.chats.get(session_id).turns == 1


@pytest.mark.parametrize("how", ["failed", "cancelled"])
def test_a_run_without_an_answer_says_so_in_the_chat(make_world: MakeWorld, how: str) -> None:
    world = make_world()
    session_id = session(world)
    world.planned += [[Text("none")], [Text("none")]]
    key = world.begin(session_id=session_id)
    if how == "cancelled":
        world.runs.cancel(world.workspace, key.run_id)
    else:
        world.drive(key)
    [event] = world.store.streams.read(f"chat_sessions/{session_id}")
    assert event.data["status"] == how and how in event.data["text"]


def test_a_chat_that_was_not_told_is_told_by_the_sweep(make_world: MakeWorld) -> None:
    world = make_world()
    session_id = session(world)
    world.planned.append(plan(step("a")))
    key = world.begin(session_id=session_id)
    chats = type(world.store.chats)

    def away(*_args: object, **_keywords: object) -> object:
        raise Transient("The store is away.")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chats, "append", away)
        assert world.drive(key).status is RunStatus.SUCCEEDED
    assert world.run(key).tell_pending and world.store.streams.read(f"chat_sessions/{session_id}") == []
    system = SystemStore(world.client, world.clock, random.Random(1))
    RunReconciler(world.runs.ports, lambda: system, world.runs.launching).sweep()
    assert len(world.store.streams.read(f"chat_sessions/{session_id}")) == 1
    assert not world.run(key).tell_pending


def test_a_chat_that_was_deleted_meanwhile_is_told_nothing(make_world: MakeWorld) -> None:
    world = make_world()
    session_id = session(world)
    key = world.begin(step("a"), session_id=session_id)
    world.store.chats.remove(session_id)
    assert world.drive(key).status is RunStatus.SUCCEEDED
    assert not world.run(key).tell_pending and world.store.chats.find(session_id) is None


def test_a_run_of_a_workspace_is_not_seen_from_another(make_world: MakeWorld) -> None:
    from shared.errors import NotFound

    world, other = make_world(), make_world()
    key = world.begin(step("a"))
    with pytest.raises(NotFound):
        other.runs.cancel(other.workspace, key.run_id)
    with pytest.raises(NotFound):
        other.runs.run_created(Key(other.workspace, key.run_id))
    assert other.store.runs.list(limit=5)[0] == ()
