"""Research that is asked for in so many words: claimed like a tag, once for the effect."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.errors import InputError, NotFound, Transient
from shared.store.effects import Effect, Stale
from tests.unit.research.world import World


def effect(world: World, key: str = "k1", revision: str | None = None) -> Effect:
    return Effect(world.store.effects, key, revision=revision)


def ask(world: World, key: str = "k1", note_id: str = "n1", revision: str | None = None) -> str:
    return world.research.ask(world.workspace, note_id, effect(world, key, revision))


@pytest.fixture
def noted(world: World) -> World:
    world.write_note("n1", title="Bees", body="Why?", tags=[])
    return world


def test_a_note_without_the_tag_is_researched_and_keeps_its_tags(noted: World) -> None:
    operation_id = ask(noted)
    assert (noted.operation.id, noted.operation.asked_by) == (operation_id, "hand")
    assert len(noted.executions.started) == 1 and noted.store.notes.get("n1").tags == ()


def test_the_same_call_again_is_the_same_operation(noted: World) -> None:
    first = ask(noted)
    noted.write_note("n1", title="Bees", body="Changed since", tags=[])
    assert ask(noted) == first and len(noted.operations()) == 1 and len(noted.executions.started) == 1


def test_three_at_once_are_one_operation(noted: World) -> None:
    with ThreadPoolExecutor(3) as pool:
        found = set(pool.map(lambda _: ask(noted), range(3)))
    assert len(found) == 1 and len(noted.operations()) == 1 and len(noted.executions.started) == 1


def test_a_run_under_way_is_joined(noted: World) -> None:
    first = ask(noted, "k1")
    assert ask(noted, "k2") == first == ask(noted, "k2")
    assert len(noted.operations()) == 1 and noted.types().count("tagged_again") == 1


def test_a_tag_that_starts_at_the_same_time_is_joined_too(noted: World) -> None:
    noted.delivered(noted.tag())
    assert ask(noted) == noted.operation.id and len(noted.operations()) == 1


def test_when_the_run_has_ended_another_call_starts_a_new_one(noted: World) -> None:
    first = ask(noted, "k1")
    noted.research.engine.cancel(noted.workspace, first)
    assert ask(noted, "k1") == first
    assert ask(noted, "k2") != first and len(noted.operations()) == 2


def test_a_start_that_fails_in_passing_leaves_the_operation_to_the_sweep(noted: World) -> None:
    noted.executions.starts.append(Transient("away"))
    operation_id = ask(noted)
    assert noted.operation.id == operation_id and noted.operation.execution is None
    noted.research.engine.work_created(noted.workspace, operation_id)
    assert noted.operation.execution is not None


def test_only_captures_are_researched(noted: World) -> None:
    noted.write_note("r1", title="Report", body="x", kind="research")
    with pytest.raises(InputError):
        ask(noted, note_id="r1")
    with pytest.raises(NotFound):
        ask(noted, note_id="none")
    assert noted.operations() == []


def test_an_approval_of_another_state_starts_nothing(noted: World) -> None:
    with pytest.raises(Stale):
        ask(noted, revision="2020-01-01T00:00:00.000000Z")
    assert noted.operations() == []
