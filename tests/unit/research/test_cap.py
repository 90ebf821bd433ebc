"""The monthly cap: research that could go over it is not begun, and says so."""

from __future__ import annotations

from shared.contracts.events import EventType
from shared.contracts.usage import UsageKind
from shared.usage.metering import Metering
from tests.unit.research.test_asking import ask
from tests.unit.research.world import MakeWorld, World
from tests.unit.usage.events import of


def holds(world: World) -> list[str]:
    return list(world.store.usage.book(f"{world.clock.now():%Y-%m}").holds)


def test_research_over_the_cap_ends_with_a_sentence_and_costs_nothing(make_world: MakeWorld) -> None:
    world = make_world(monthly_usd=6.99)
    world.delivered(world.tag())
    assert world.start().status == "superseded"
    operation = world.operation
    assert operation.status.value == "failed" and operation.error is not None
    assert operation.error.code == "budget_exceeded"
    assert "it may take up to 7.00 USD, and 6.99 USD are left" in operation.error.message
    assert world.interactions.created == [] and operation.interactions == ()
    assert world.types()[-1] == EventType.FAILED and holds(world) == []


def test_what_a_run_may_cost_is_set_aside_until_its_end_is_counted(make_world: MakeWorld) -> None:
    world = make_world(monthly_usd=13.0)
    world.begin()
    world.start()
    assert holds(world) == [world.operation.id]
    world.research.engine.cancel(world.workspace, world.operation.id)
    stream, at = f"operations/{world.operation.id}", world.clock.now()
    ended = of(world.workspace, stream, EventType.CANCELLED, {}, at=at)
    Metering(lambda _workspace: world.store).event(ended)
    assert holds(world) == []
    assert world.store.usage.book(f"{at:%Y-%m}").by_kind[UsageKind.RESEARCH].count == 1


def test_the_room_of_one_run_is_not_given_to_two(make_world: MakeWorld) -> None:
    world = make_world(monthly_usd=13.0)
    world.begin()
    first = world.operation
    world.write_note("other", body="Another question?", tags=[])
    operation_id = ask(world, note_id="other")
    assert world.start(2, operation_id=operation_id).status == "superseded"
    assert world.store.operations.get(operation_id).error is not None
    assert world.store.operations.get(first.id).status.value == "running"
    assert len(world.interactions.created) == 1


def test_without_a_cap_nothing_is_set_aside(make_world: MakeWorld) -> None:
    world = make_world()
    world.begin()
    assert holds(world) == [] and len(world.interactions.created) == 1
