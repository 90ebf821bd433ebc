"""What is remembered of notes and chats, by rule: from the words to the record and back."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timezone

import pytest

from shared.brain.agents.cognitive_extractor import agent as extractor
from shared.brain.agents.committer import agent as committer
from shared.contracts.memory import ItemStatus, RecordStatus
from shared.store.record_search import Held
from tests.unit.brain.remembering.world import MemoryWorld


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc)


def test_a_note_becomes_records_with_their_places(world: MemoryWorld) -> None:
    body = "Met the team.\n\nI prefer tea over coffee. Anna's birthday is 3 May 1980."
    note_id = world.note(body)
    record = world.record("tea")
    (source,) = record.sources
    assert (source.id, body[source.start : source.end]) == (note_id, "I prefer tea over coffee.")
    assert record.source_blackboard_id == world.item("tea").id and record.property_key == "prefers"
    assert world.record("Anna").subject_key == "anna"
    assert [one.status for one in world.items] == [ItemStatus.COMMITTED] * 2


def test_what_is_said_in_a_chat_is_remembered_and_the_answer_is_not(world: MemoryWorld) -> None:
    world.turn("I live in Oslo.", answer="I work at Globex. You live in Oslo and like skiing.")
    assert world.texts == {"I live in Oslo."}


def test_a_later_statement_ends_an_earlier_one_which_keeps_its_dates(world: MemoryWorld) -> None:
    world.note("I live in Oslo since 2019.")
    world.clock.advance(86_400)
    world.note("I moved to Bergen in 2026.")
    old, new = world.record("Oslo"), world.record("Bergen")
    assert old.status is RecordStatus.SUPERSEDED and old.superseded_by == new.id and new.supersedes == (old.id,)
    assert (old.valid_from, old.valid_to) == (_day("2019-01-01"), _day("2026-01-01"))
    assert new.valid_from == _day("2026-01-01") and new.valid_to is None


def test_an_earlier_statement_that_is_read_late_ends_nothing(world: MemoryWorld) -> None:
    late = world.write("I work at Initech.")
    world.clock.advance(86_400)
    world.note("I work at Globex.")
    world.read_note(late)
    old, new = world.record("Initech"), world.record("Globex")
    assert new.status is RecordStatus.CURRENT and old.status is RecordStatus.SUPERSEDED
    assert old.valid_to == new.sources[0].said_at and old.superseded_by == new.id
    assert world.item("Initech").status is ItemStatus.SUPERSEDED


def test_statements_of_different_times_both_stay(world: MemoryWorld) -> None:
    world.note("I worked at Initech from 2010 to 2014.")
    world.note("I work at Globex since 2016.")
    assert world.texts == {"I worked at Initech from 2010 to 2014.", "I work at Globex since 2016."}


def test_the_same_statement_again_is_a_source_more(world: MemoryWorld) -> None:
    first = world.note("I work at Acme.")
    second = world.note("Some news. I work at Acme!")
    record = world.record("Acme")
    assert {one.id for one in record.sources} == {first, second}
    assert record.merged_blackboard_ids == (world.items[1].id,) and world.items[1].status is ItemStatus.MERGED


def test_a_note_that_is_read_again_says_nothing_new(world: MemoryWorld) -> None:
    note_id = world.note("I prefer tea. Anna works at Globex.")
    before = world.records
    for _ in range(2):
        world.read_note(note_id)
    assert world.records == before and len(world.items) == 2


def test_an_old_note_that_is_touched_does_not_bring_back_what_was_ended(world: MemoryWorld) -> None:
    note_id = world.note("I live in Oslo.")
    world.clock.advance(86_400)
    world.note("I moved to Bergen.")
    world.clock.advance(86_400)
    world.change(note_id, body="I live in Oslo.\n\nI like skiing.")
    assert world.texts == {"I moved to Bergen.", "I like skiing."}


def test_what_a_changed_note_no_longer_says_is_gone(world: MemoryWorld) -> None:
    note_id = world.note("I prefer tea. I like skiing.")
    world.note("Snow again. I like skiing.")
    world.change(note_id, body="Well. I prefer coffee.")
    assert world.texts == {"I prefer coffee.", "I like skiing."}
    assert note_id not in {one.id for one in world.record("skiing").sources}


def test_words_that_moved_within_a_note_keep_their_record(world: MemoryWorld) -> None:
    note_id = world.note("I prefer tea.")
    record = world.record("tea")
    body = "A new beginning.\n\nI prefer tea."
    world.change(note_id, body=body)
    moved = world.record("tea")
    assert moved.id == record.id and body[moved.sources[0].start : moved.sources[0].end] == "I prefer tea."


def test_two_that_are_fixed_contradict_each_other_and_wait_for_the_person(world: MemoryWorld) -> None:
    world.note("Anna's birthday is 3 May 1980.")
    world.note("Anna's birthday is 4 June 1981.")
    (contradiction,), _ = world.store.contradictions.list(limit=10)
    assert set(contradiction.record_ids) == {world.record("3 May").id, world.record("4 June").id}
    assert len(world.texts) == 2 and "memory_contradicted" in world.happened()


def test_a_long_note_is_read_in_slices_to_its_end(world: MemoryWorld) -> None:
    filler = "Nothing of note happened on that grey morning in the harbour.\n\n"
    body = "I prefer tea.\n\n" + filler * 700 + "I like skiing."
    world.note(body)
    assert world.texts == {"I prefer tea.", "I like skiing."}
    source = world.record("skiing").sources[0]
    assert body[source.start : source.end] == "I like skiing."


def test_a_title_alone_is_read_too(world: MemoryWorld) -> None:
    world.note("", title="Anna works at Globex")
    assert world.texts == {"Anna works at Globex"}


def test_what_begins_later_leaves_what_holds_until_then(world: MemoryWorld) -> None:
    world.note("The rent is 940 crowns a month.")
    later = world.note("From January on the rent is 980 crowns a month.")
    old, new = world.record("940"), world.record("980")
    assert old.status is RecordStatus.CURRENT and old.valid_to == new.valid_from == _day("2027-01-01")
    world.forget("note", later)
    assert world.record("940").valid_to is None


def test_a_pronoun_stands_for_what_was_told_of_just_before(world: MemoryWorld) -> None:
    body = "Mila is my sister. She is allergic to nuts. My bicycle is a Tolva. Its frame number is TV-3381."
    note_id = world.note(body)
    record = world.record("nuts")
    assert (record.subject, record.text) == ("Mila", "Mila is allergic to nuts.")
    (source,) = record.sources
    assert (source.id, source.quote) == (note_id, "She is allergic to nuts.")
    assert world.record("TV-3381").subject == "My bicycle"


def test_one_can_ask_what_held_on_a_day(world: MemoryWorld) -> None:
    world.note("I live in Oslo since 2019. I worked at Initech from 2010 to 2014. I work at Globex since 2016.")
    world.clock.advance(86_400)
    world.note("I moved to Bergen in 2026.")

    def held(day: str) -> set[str]:
        return {one.object for one in world.store.record_search.about("me", Held(_day(day)), 20)}

    assert held("2012-06-01") == {"Initech"}
    assert held("2015-06-01") == set()
    assert held("2020-06-01") == {"Oslo", "Globex"}
    assert held("2026-06-01") == {"Bergen", "Globex"}


def test_a_move_that_one_note_tells_of_is_no_contradiction(world: MemoryWorld) -> None:
    world.note("I live in Oslo. I moved to Bergen in 2026.")
    assert world.texts == {"I moved to Bergen in 2026."}
    assert world.record("Oslo").superseded_by == world.record("Bergen").id


def test_many_statements_of_one_kind_are_all_kept(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than one commit of the extractor takes along, and more than one job of the committer decides on."""
    monkeypatch.setattr(extractor, "CANDIDATES", 8)
    monkeypatch.setattr(committer, "BATCH", 3)
    world.note("\n".join(f"I like dish{n}." for n in range(20)))
    assert world.texts == {f"I like dish{n}." for n in range(20)} and len(world.items) == 20
    ran = Counter(kind for kind, _ in world.outcomes)
    assert ran["cognitive_extractor"] == 3 and ran["committer"] > 6
