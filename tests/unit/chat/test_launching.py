"""For every turn an execution that watches over it, once; and the sweep for turns that have lost theirs."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.chat.reconciling import TurnReconciler
from shared.errors import Transient
from shared.llm.port import Text
from shared.store.system import SystemStore
from tests.support.scripted_model import Pause
from tests.unit.chat.world import MakeWorld, Stream, World


def begun(world: World) -> Stream:
    stream = world.send()
    stream.until("trace")
    return stream


def test_a_created_turn_gets_one_execution_which_waits_for_its_first_worker(make_world: MakeWorld) -> None:
    world = make_world([Text("x"), Pause()])
    stream = begun(world)

    def deliver(_n: int) -> None:
        try:
            world.other().turn_created(world.key())
        except Transient:  # another delivery is at it: this one comes again
            return

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(deliver, range(3)))
    world.other().turn_created(world.key())
    (started,) = world.executions.started
    assert started["workflow"] == "turn" and started["wait_seconds"] == world.settings.chat_lease_seconds
    assert world.turn().execution == "executions/e1"
    world.chat.cancel(world.workspace, world.session_id)
    stream.rest()


def test_an_ended_turn_needs_none(make_world: MakeWorld) -> None:
    world = make_world([Text("Done.")])
    world.whole()
    world.chat.turn_created(world.key())
    assert world.executions.started == []


def test_a_start_that_failed_is_tried_again_at_once(make_world: MakeWorld) -> None:
    world = make_world([Text("x"), Pause()])
    stream = begun(world)
    world.executions.failing = Transient("workflows are away")
    with pytest.raises(Transient):
        world.chat.turn_created(world.key())
    world.executions.failing = None
    world.chat.turn_created(world.key())
    assert world.turn().execution == "executions/e1"
    world.chat.cancel(world.workspace, world.session_id)
    stream.rest()


def swept(world: World) -> list[str]:
    """The turns of this world that the sweep gave an execution."""
    system = SystemStore(world.client, world.clock, random.Random(1))
    before = len(world.executions.started)
    TurnReconciler(world.chat.ports, lambda: system, world.chat.launching).sweep()
    return [str(one["turn_id"]) for one in world.executions.started[before:]]


def old(world: World) -> None:
    """As if the turn had begun an hour ago and nobody had been seen since."""
    turn = world.turn()
    long_ago = turn.created_at.replace(year=turn.created_at.year - 1)
    session = world.client.document(f"workspaces/{world.workspace}/chat_sessions/{world.session_id}")
    session.update({"turn.lease_expires_at": long_ago})
    session.collection("turns").document(turn.id).update({"updated_at": long_ago})


def test_the_sweep_finds_a_turn_that_nobody_works_on(make_world: MakeWorld) -> None:
    world = make_world([Text("x"), Pause()])
    stream = begun(world)
    assert swept(world) == [], "a young one is left alone"
    old(world)
    assert swept(world) == [world.turn().id]
    assert swept(world) == [], "now an execution watches over it"
    world.executions.dead.add("executions/e1")
    assert swept(world) == [world.turn().id]
    world.chat.cancel(world.workspace, world.session_id)
    stream.rest()
    assert swept(world) == []


def test_the_sweep_finishes_a_deletion_that_broke_off(make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    world = make_world([Text("Yes.")])
    world.whole()

    def away(_chats: object, _session_id: str) -> None:
        raise Transient("away")

    with monkeypatch.context() as broken, pytest.raises(Transient):
        broken.setattr("shared.store.chat.Chats.remove", away)
        world.chat.delete(world.workspace, world.session_id)
    assert world.session.deleting
    swept(world)
    assert world.store.chats.find(world.session_id) is None
    left = world.client.document(f"workspaces/{world.workspace}/chat_sessions/{world.session_id}").collections()
    assert [collection.id for collection in left] == []
