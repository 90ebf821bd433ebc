"""A life in random order: whatever is written, changed, deleted, restored and chosen, these things always hold."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations

import pytest

from shared.brain.choices import Choices
from shared.brain.statements import of_record
from shared.brain.supersession import by_rule
from shared.contracts.memory import ContradictionStatus, ItemStatus, Record, RecordStatus
from shared.errors import Conflict
from tests.unit.brain.remembering.world import MemoryWorld

_TOWNS, _DRINKS = ("Oslo", "Bergen", "Tromsø"), ("tea", "coffee", "juice")
_STEPS = 45


class _Life:
    def __init__(self, world: MemoryWorld, seed: int) -> None:
        self.world, self.random = world, random.Random(seed)
        self.me = Choices(world.store, world.clock, "me")
        self.notes: list[str] = []
        self.trashed: list[str] = []
        self.restored: set[str] = set()
        """Records that were brought back, perhaps after the same had been said anew."""

    def step(self) -> None:
        moves: list[Callable[[], None]] = [self.write, self.write, self.change, self.trash, self.restore, self.choose]
        self.random.choice(moves)()

    def body(self) -> str:
        town, drink = self.random.choice(_TOWNS), self.random.choice(_DRINKS)
        year = self.random.choice(("", " in 2024", " in 2025"))
        said = (f"I moved to {town}{year}.", f"I live in {town}.", f"I like {drink}.", f"My birthday is {town} day.",
                f"Anna's birthday is {self.random.randint(1, 3)} May 1980.", "Am I hungry?")  # fmt: skip
        return "\n\n".join(self.random.sample(said, self.random.randint(1, 3)))

    def write(self) -> None:
        self.notes.append(self.world.note(self.body()))

    def change(self) -> None:
        if self.notes:
            self.world.change(self.random.choice(self.notes), body=self.body())

    def trash(self) -> None:
        if self.notes:
            note_id = self.notes.pop(self.random.randrange(len(self.notes)))
            self.world.store.trash.put_in(note_id, "me")
            self.world.forget("note", note_id)
            self.trashed.append(note_id)

    def restore(self) -> None:
        if self.trashed:
            note_id = self.trashed.pop()
            self.world.store.trash.take_out(note_id, "me")
            self.world.read_note(note_id)
            self.notes.append(note_id)

    def choose(self) -> None:
        open_ones, _ = self.world.store.contradictions.list(limit=5, status=ContradictionStatus.OPEN)
        records = self.world.records
        if open_ones and self.random.random() < 0.5:
            one = self.random.choice(open_ones)
            try:
                self.me.settle(one.id, self.random.choice((*one.record_ids, None)))
            except Conflict as error:
                raise AssertionError("an open one can be settled") from error
        elif records:
            one_of = self.random.choice(records)
            if one_of.status is RecordStatus.RETRACTED:
                self.restored.add(self.me.restore(one_of.id).id)
            else:
                self.me.retract(one_of.id)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_in_any_order_memory_stays_whole(world: MemoryWorld, seed: int) -> None:
    life = _Life(world, seed)
    for _ in range(_STEPS):
        life.step()
        _whole(life)
    for note_id in list(life.notes):
        world.store.trash.put_in(note_id, "me")
        world.forget("note", note_id)
    assert world.records == [] and world.store.contradictions.list(limit=10)[0] == ()


def _whole(life: _Life) -> None:
    world = life.world
    records = {one.id: one for one in world.records}
    for record in records.values():
        _rests_on_what_is_there(life, record)
        later = record.superseded_by
        assert later is None or later in records, "what ended it is there"
        assert (record.status is not RecordStatus.SUPERSEDED) or later is not None
        assert record.valid_from is None or record.valid_to is None or record.valid_from <= record.valid_to
    told = Counter(one.text for one in records.values() if _current(one) and one.id not in life.restored)
    assert not told or max(told.values()) == 1, "nothing is remembered twice"
    contradictions, _ = world.store.contradictions.list(limit=100)
    assert all(set(one.record_ids) <= records.keys() for one in contradictions)
    told_of = {frozenset(one.record_ids) for one in contradictions}
    held = [one for one in records.values() if _current(one)]
    for one, other in combinations(held, 2):
        verdict = by_rule(of_record(one), of_record(other))
        assert verdict is None or {one.id, other.id} in told_of, "what excludes each other is known to"
    assert all(one.status is not ItemStatus.PENDING for one in world.items), "nothing waits for ever"


def _current(record: Record) -> bool:
    return record.status is RecordStatus.CURRENT


def _rests_on_what_is_there(life: _Life, record: Record) -> None:
    assert record.sources
    for ref in record.sources:
        assert ref.id in life.notes, "a source that is gone is no source"
        body = life.world.store.notes.get(ref.id).body
        assert body[ref.start : ref.end] == ref.quote, "and it says so, at its place"
