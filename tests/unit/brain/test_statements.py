"""What the code knows of sentences, days and statements, without a store or a model."""

from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone

import pytest

from shared.brain.agents.cognitive_extractor.checking import checked
from shared.brain.agents.cognitive_extractor.passages import PASSAGE_CHARACTERS, passages
from shared.brain.agents.cognitive_extractor.rules import proposals
from shared.brain.agents.cognitive_extractor.schema import Proposal
from shared.brain.dates import day_in, written
from shared.brain.duplicates import same
from shared.brain.provenance import joined
from shared.brain.sentences import Span, located, sentences, widened
from shared.brain.sources import Reading, Source
from shared.brain.statements import Statement, property_key
from shared.brain.supersession import by_rule, later, objection, overlap
from shared.brain.voices import Voices
from shared.contracts.memory import SOURCES_PER_RECORD, Candidate, RecordType, SourceKind, SourceRef, Verdict

NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
_DAYS = {days: NOW - timedelta(days=days) for days in (9, 200, 250, 300, 900, 2000, 3000)}
"""So many days ago."""
_CANDIDATE = Candidate(type=RecordType.PREFERENCE, subject="me", property="prefers", object="tea", text="I prefer tea.")


def _stated(text: str, **fields: object) -> Statement:
    known = {
        "type": RecordType.FACT,
        "subject_key": "me",
        "property_key": "",
        "object_key": "",
        "valid_from": None,
        "valid_to": None,
        "said_at": NOW,
    }
    return Statement(text=text, **(known | fields))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Smith came. I left!", ["Dr. Smith came.", "I left!"]),
        ("- one\n* two\n3. three", ["one", "two", "three"]),
        ("On 3. May it rained. Entry 4. Sun.", ["On 3. May it rained.", "Entry 4.", "Sun."]),
        ("I like\nlong lines.\nAnd short", ["I like\nlong lines.", "And short"]),
        ("# Head\n\n> quoted", ["Head", "> quoted"]),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [one.of(text) for one in sentences(text)] == expected


def test_a_quotation_is_found_whatever_its_blanks_and_widened_to_its_sentence() -> None:
    text = "First. I work\n at Acme   now. Last."
    place = located(text, "work at ACME")
    assert place is not None and widened(text, place).of(text) == "I work\n at Acme   now."
    assert located(text, "work for Acme") is None and located(text, " ") is None


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("since March 2021", "2021-03-01"),
        ("on 3 May 1980", "1980-05-03"),
        ("May 3rd, 1980", "1980-05-03"),
        ("in 2019", "2019-01-01"),
        ("2026-02-14", "2026-02-14"),
        ("yesterday", "2026-11-29"),
        ("on 1 January", "2027-01-01"),
        ("on 31 February 2020", "2020-02-01"),
        ("soon", None),
    ],
)
def test_days_in_sentences(text: str, day: str | None) -> None:
    found = day_in(text, NOW)
    assert (found.date().isoformat() if found else None) == day


@pytest.mark.parametrize(("year", "day"), [(2027, "2028-02-29"), (2028, "2028-02-29"), (2026, None)])
def test_a_leap_day_without_a_year_is_that_of_the_nearest_that_has_one(year: int, day: str | None) -> None:
    found = day_in("on 29 February", NOW.replace(year=year))
    assert (found.date().isoformat() if found else None) == day


@pytest.mark.parametrize(
    ("text", "day"), [("2021", "2021-01-01"), ("2021-3", "2021-03-01"), ("2021-02-30", None), ("", None)]
)
def test_days_of_a_model(text: str, day: str | None) -> None:
    found = written(text)
    assert (found.date().isoformat() if found else None) == day


@pytest.mark.parametrize(
    ("sentence", "subject", "name", "thing"),
    [
        ("I prefer tea over coffee.", "me", "prefers", "tea"),
        ("My favourite colour is green.", "me", "favourite colour", "green"),
        ("I don't like cilantro.", "me", "dislikes", "cilantro"),
        ("I'm working for Acme Corp since 2021.", "me", "employer", "Acme Corp"),
        ("I've moved to Bergen.", "me", "residence", "Bergen"),
        ("I was born in Tromsø.", "me", "birthplace", "Tromsø"),
        ("My sister is called Lena.", "me", "sister", "Lena"),
        ("Tom is my brother", "me", "brother", "Tom"),
        ("I can play the guitar.", "me", "can", "play the guitar"),
        ("We decided to use Postgres.", "me", "decision", "use Postgres"),
        ("I'm planning to learn Italian.", "me", "plan", "learn Italian"),
        ("On 3 May 2026 I met Anna.", "me", "event", "met Anna"),
        ("Anna Schmidt works at Globex.", "Anna Schmidt", "employer", "Globex"),
        ("Anna's birthday is on 3 May.", "Anna", "birthday", "3 May"),
        ("The Atlas project uses Postgres.", "The Atlas project", "uses", "Postgres"),
        ("Zoë is married to Tom.", "Zoë", "spouse", "Tom"),
    ],
)
def test_the_rules_know_plain_sentences(sentence: str, subject: str, name: str, thing: str) -> None:
    (found,) = proposals(sentence, NOW)
    candidate = found.candidate
    assert (candidate.subject, candidate.property, candidate.object) == (subject, name, thing)


@pytest.mark.parametrize(
    "sentence",
    [
        "My phone is dead.",
        "My car is making noises.",
        "My manager is on holiday.",
        "My head is spinning.",
        "The meeting was long.",
        "The food was great yesterday.",
        "Tom is in a hurry.",
        "I need a day off.",
        "I got up late.",
        "I am sure that it works.",
        "I have to go.",
        "I think so.",
        "We will see.",
        "Thanks for the note on the project.",
        "Yesterday was nice.",
        "They offered 5,700 crowns.",
        "Everybody was there on Monday.",
        "Do I like tea?",
        "If I work at Acme, fine.",
        "Maybe I live in Rome.",
        "Please use bullets.",
        "It is raining.",
        "He works at Acme.",
        "Thanks!",
        "I'm tired today.",
        "Anna: I work at Acme.",
        "I'd like to know more.",
    ],
)
def test_the_rules_guess_at_nothing(sentence: str) -> None:
    assert list(proposals(sentence, NOW)) == []


def test_the_rules_are_quick_on_sentences_made_to_be_slow() -> None:
    begun = datetime.now(timezone.utc)
    for piece in ("I moved to a since ", "I met x on 3 May ", "The A b ", "My a's b's ", "and but so "):
        list(proposals(piece * (300 // len(piece)), NOW))
        list(proposals(piece.split()[0] + " " + piece.split()[-1] * 90, NOW))
    assert datetime.now(timezone.utc) - begun < timedelta(seconds=5)


def test_what_is_over_has_an_end() -> None:
    (found,) = proposals("I used to work at Initech.", NOW)
    assert (found.candidate.valid_from, found.candidate.valid_to) == (None, NOW)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("I prefer green tea in the morning", "In the morning I prefer green tea!", True),
        ("I prefer green tea in the morning", "I do not prefer green tea in the morning", False),
        ("The rent is 900 euros a month", "The rent is 950 euros a month", False),
        ("I prefer tea", "I prefer coffee", False),
    ],
)
def test_what_is_the_same(one: str, other: str, expected: bool) -> None:
    assert same(_stated(one), _stated(other)) is expected


def test_the_same_of_another_time_or_subject_is_another() -> None:
    first = _stated("Works at Acme", valid_to=NOW - timedelta(days=9))
    assert not same(first, _stated("Works at Acme"))
    assert not same(_stated("Works at Acme"), _stated("Works at Acme", subject_key="anna"))


def test_only_the_same_property_of_the_same_subject_at_the_same_time_can_be_ended() -> None:
    old = _stated("I live in Oslo", property_key="residence", object_key="oslo", said_at=NOW - timedelta(days=5))
    new = _stated("I live in Rome", property_key="residence", object_key="rome")
    assert objection(new, old) == "" and by_rule(new, old) is Verdict.SUPERSEDE
    for field, value in (("subject_key", "anna"), ("property_key", "employer"), ("object_key", "oslo")):
        other = _stated("I live there", **({"property_key": "residence", "object_key": "rome"} | {field: value}))
        assert objection(other, old) and by_rule(other, old) is None
    past = _stated("I lived in Rome", property_key="residence", object_key="rome", valid_to=NOW - timedelta(days=99))
    assert not overlap(past, old) and objection(past, old) == "They hold at different times."


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        ({}, {"said_at": _DAYS[9]}, True),
        ({"said_at": _DAYS[9]}, {}, False),
        ({}, {}, None),
        ({"valid_from": _DAYS[300]}, {"said_at": _DAYS[200]}, True),
        ({"valid_from": _DAYS[3000]}, {"said_at": _DAYS[200]}, False),
        ({"valid_from": _DAYS[300], "said_at": _DAYS[250]}, {"said_at": _DAYS[200]}, False),
        ({"valid_from": _DAYS[300]}, {"valid_from": _DAYS[200], "said_at": _DAYS[200]}, False),
        ({"valid_to": _DAYS[900]}, {"said_at": _DAYS[200]}, False),
    ],
    ids=["said later", "said before", "said at once", "a recent change", "history", "said before it", "dated", "over"],
)
def test_which_of_two_tells_of_the_later_state(
    new: dict[str, datetime], old: dict[str, datetime], expected: bool | None
) -> None:
    assert later(_stated("new", **new), _stated("old", **old)) is expected
    turned = None if expected is None else not expected
    assert later(_stated("old", **old), _stated("new", **new)) is turned


def test_what_was_over_when_the_other_was_said_is_ended_by_nothing() -> None:
    old = _stated("I worked at Acme", property_key="employer", object_key="acme", valid_to=_DAYS[900])
    new = _stated("I work at Globex", property_key="employer", object_key="globex", valid_from=_DAYS[2000])
    assert overlap(new, old) and objection(new, old) == objection(old, new) == "They hold at different times."


def test_names_of_one_property_have_one_key() -> None:
    assert {property_key(one) for one in ("Employer", "works at", "the company", "workplace")} == {"employer"}


def test_voices() -> None:
    text = "I am here.\n> not me\n# Chat\nUser: mine\nAI: I am a bot.\n\nstill its\n# After\nI am back."
    heard = Voices(text)
    said = {
        part: heard.at(place)
        for part in ("here", "not me", "a bot", "back", "mine", "still its")
        if (place := located(text, part))
    }
    assert said["here"] == said["mine"] == said["back"] == "person" and said["not me"] == "other"
    assert said["a bot"] == said["still its"] == "assistant"


def test_passages_cover_a_text_and_are_bounded() -> None:
    for text in ("word " * 3000, "x" * 9000, "p\n\n" * 4000, ""):
        found = list(passages(text, 0))
        assert "".join(one.of(text) for one in found).split() == text.split()
        assert all(one.end - one.start <= PASSAGE_CHARACTERS for one in found)


def test_of_too_many_sources_the_oldest_and_the_newest_are_kept() -> None:
    refs = [
        SourceRef(kind=SourceKind.NOTE, id=f"n{n}", quote=f"q{n}", said_at=NOW + timedelta(days=n)) for n in range(80)
    ]
    random.Random(1).shuffle(refs)
    kept = joined(refs[:40], refs[40:], refs[:10])
    assert len(kept) == SOURCES_PER_RECORD
    assert [kept[0].id, kept[24].id, kept[25].id, kept[-1].id] == ["n0", "n24", "n55", "n79"]


def test_a_candidate_of_a_very_long_text_is_checked_at_its_place() -> None:
    """However long the text, and also where it has no paragraphs: only what is near is looked at."""
    text = "I prefer tea. " * 200_000
    reading = Reading(Source(kind="note", id="n"), text, "", NOW)
    begun, voices = datetime.now(timezone.utc), Voices(text)
    for start in range(1_400_000, 1_400_000 + 14 * 20, 14):
        proposal = Proposal(_CANDIDATE, "I prefer tea.", Span(start, start + 13))
        candidate, (ref,) = checked(proposal, reading, voices)
        assert (ref.start, ref.end, ref.quote, candidate.problem) == (start, start + 13, "I prefer tea.", "")
    assert datetime.now(timezone.utc) - begun < timedelta(seconds=5)
