"""The person's word on their records comes before all else, and can be taken back."""

from __future__ import annotations

import pytest

from shared.brain.choices import Choices
from shared.contracts.memory import ContradictionStatus, RecordStatus
from shared.errors import Conflict, InputError, NotFound
from tests.unit.brain.remembering.world import MemoryWorld


@pytest.fixture
def me(world: MemoryWorld) -> Choices:
    return Choices(world.store, world.clock, "me")


def test_a_record_is_pinned_excluded_and_neither_again(world: MemoryWorld, me: Choices) -> None:
    world.note("I prefer tea.")
    name = world.record("tea").id
    assert me.pin(name, True).pinned and me.exclude(name, True).excluded
    assert me.pin(name, True) == world.record("tea")
    assert not me.pin(name, False).pinned and not me.exclude(name, False).excluded
    assert world.happened(["memory_changed"]) == ["memory_changed"] * 4


def test_what_is_excluded_stays_so_when_it_is_said_again(world: MemoryWorld, me: Choices) -> None:
    world.note("I prefer tea.")
    me.exclude(world.record("tea").id, True)
    world.note("Once more. I prefer tea.")
    assert world.record("tea").excluded and len(world.record("tea").sources) == 2


def test_a_retracted_record_does_not_come_back_by_being_read_again(world: MemoryWorld, me: Choices) -> None:
    early = world.write("An early note. I prefer tea.")
    note_id = world.note("I prefer tea.")
    me.retract(world.record("tea").id)
    world.read_note(note_id)
    world.read_note(early)
    assert world.texts == set() and len(world.records) == 1
    world.note("I prefer tea, said anew. I prefer tea.")
    assert "I prefer tea." in world.texts


def test_a_retraction_is_taken_back(world: MemoryWorld, me: Choices) -> None:
    world.note("I live in Oslo.")
    world.note("I moved to Bergen.")
    for text, before in (("Oslo", RecordStatus.SUPERSEDED), ("Bergen", RecordStatus.CURRENT)):
        name = world.record(text).id
        assert me.retract(name).status is RecordStatus.RETRACTED
        assert me.restore(name).status is before
        assert me.restore(name).status is before


def test_settling_keeps_one_retracts_the_other_and_can_be_opened_again(world: MemoryWorld, me: Choices) -> None:
    world.note("Anna's birthday is 3 May 1980.")
    world.note("Anna's birthday is 4 June 1981.")
    (found,), _ = world.store.contradictions.list(limit=10, status=ContradictionStatus.OPEN)
    may, june = world.record("3 May").id, world.record("4 June").id
    assert me.settle(found.id, june).kept == june
    assert world.texts == {"Anna's birthday is 4 June 1981."}
    assert me.settle(found.id, june).status is ContradictionStatus.SETTLED
    with pytest.raises(Conflict):
        me.settle(found.id, may)
    assert me.reopen(found.id).status is ContradictionStatus.OPEN and len(world.texts) == 2
    assert me.settle(found.id, None).kept is None and len(world.texts) == 2
    with pytest.raises(InputError):
        me.settle(found.id, "another")


def test_retracting_one_side_settles_a_contradiction_and_restoring_it_opens_it(world: MemoryWorld, me: Choices) -> None:
    world.note("Anna's birthday is 3 May 1980.")
    world.note("Anna's birthday is 4 June 1981.")
    may, june = world.record("3 May").id, world.record("4 June").id
    me.retract(may)
    (found,), _ = world.store.contradictions.list(limit=10)
    assert found.status is ContradictionStatus.SETTLED and found.kept == june
    me.restore(may)
    assert world.store.contradictions.get(found.id).status is ContradictionStatus.OPEN


def test_a_record_is_forgotten_for_good(world: MemoryWorld, me: Choices) -> None:
    note_id = world.note("I prefer tea. I like skiing.")
    me.forget(world.record("tea").id)
    assert world.texts == {"I like skiing."}
    assert {one.payload["text"] for one in world.items} == {"(forgotten)", "I like skiing."}
    with pytest.raises(NotFound):
        me.forget("record_unknown")
    assert world.store.notes.find(note_id) is not None


def test_what_is_not_there_cannot_be_chosen(me: Choices) -> None:
    with pytest.raises(NotFound):
        me.pin("nothing", True)
    with pytest.raises(NotFound):
        me.settle("nothing", None)
