"""Words, stems and terms: what is the same word, in which language, and what a passage shows."""

from __future__ import annotations

import pytest

from shared.errors import InputError
from shared.search.languages import LANGUAGES, languages_of
from shared.search.passages import passage, plain, prose, same_length_folded
from shared.search.query import TERMS_MAX, parsed
from shared.search.stems import stems
from shared.search.terms import WORDS_MAX, terms_of
from shared.search.words import words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Solar-Panels, 2 kW!", ["solar", "panels", "2", "kw"]),
        ("Über Häuser und Straßen", ["uber", "hauser", "und", "strassen"]),
        ("L’été, c'est l'eau", ["ete", "est", "eau"]),
        ("ＷＩＤＥ ﬁne", ["wide", "fine"]),
        ("sun's don't", ["sun", "don"]),
        ("東京都", ["東京", "京都"]),
        ("snake_case", ["snake", "case"]),
        ("", []),
    ],
)
def test_words_are_folded(text: str, found: list[str]) -> None:
    assert words(text) == found


@pytest.mark.parametrize(
    ("one", "other"),
    [("batteries", "battery"), ("running", "runs"), ("hauser", "haus"), ("maisons", "maison"), ("casas", "casa")],
)
def test_forms_of_a_word_share_a_stem_in_some_language(one: str, other: str) -> None:
    assert set(stems(one, LANGUAGES)) & set(stems(other, LANGUAGES))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("the cat and the dog are in the house with me", "english"),
        ("der Hund ist in dem Haus und die Katze auch", "german"),
        ("le chat est dans la maison avec les chiens", "french"),
        ("el gato esta en la casa con los perros", "spanish"),
    ],
)
def test_a_text_tells_its_language(text: str, language: str) -> None:
    assert language in languages_of(words(text)) and len(languages_of(words(text))) < len(LANGUAGES)


def test_a_text_that_does_not_tell_is_in_all_of_them() -> None:
    assert languages_of(["solar", "panel"]) == LANGUAGES


def test_terms_are_stems_headings_and_beginnings() -> None:
    found = terms_of("Home battery", "The batteries of the house are cold.", ["solar"])
    assert {"batteri", "=batteri", "^bat", "^h", "solar", "=solar", "^col"} <= set(found.terms)
    assert " batteri:5 " in found.frequencies and "=cold" not in found.terms and "the" not in found.terms


def test_a_very_long_note_has_a_bounded_index() -> None:
    found = terms_of("", " ".join(f"word{number}x" for number in range(50_000)), [])
    assert len(found.terms) < 4 * WORDS_MAX


def test_the_last_word_is_a_beginning_until_something_follows_it() -> None:
    assert [word.beginning for word in parsed("cold batt")] == ["", "batt"]
    assert [word.beginning for word in parsed("cold batt ")] == ["", ""]


def test_small_words_are_left_out_unless_there_are_no_others() -> None:
    assert [word.word for word in parsed("what is the battery?")] == ["battery"]
    assert [word.word for word in parsed("the who ")] == ["the", "who"]


@pytest.mark.parametrize("query", ["", "   ", "?!", "…"])
def test_a_query_without_words_has_none(query: str) -> None:
    assert parsed(query) == ()


def test_a_query_that_is_too_long_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        parsed("x" * 1001)
    assert caught.value.details["field"] == "q"


def test_a_long_query_asks_for_no_more_than_firestore_takes() -> None:
    wanted = parsed(" ".join(f"photovoltaiken{letter}s" for letter in "abcdefghijklmnop"))
    assert len(wanted) <= 8 and all(len(word.terms) <= 6 for word in wanted) and TERMS_MAX == 30


@pytest.mark.parametrize(("begun", "found"), [("runn", True), ("running", True), ("ru", True), ("rux", False)])
def test_a_begun_word_is_found_though_its_stem_is_shorter(begun: str, found: bool) -> None:
    frequencies = terms_of("", "She is running with the others", []).frequencies
    assert bool(parsed(begun)[-1].count(frequencies)) is found


def test_the_passage_is_around_the_words() -> None:
    body = "Filler sentence about nothing. " * 40 + "A cold battery charges slowly. " + "More filler. " * 40
    found = passage(body, parsed("batteries cold "))
    assert found.text.startswith("…A cold battery charges slowly.") and found.matched == ("batteries", "cold")


def test_a_passage_is_plain_text_without_markup() -> None:
    assert plain("# A *bold* [link](http://x) ![image](http://y)\n- item `code`", 200) == "A bold link · item code"


@pytest.mark.parametrize("text", ["Straße ﬁ İ É 漢字 🧠", "ascii", "e\u0301"])
def test_folding_in_place_keeps_places(text: str) -> None:
    assert len(same_length_folded(text)) == len(text)


def test_a_heading_does_not_run_into_the_text_below_it() -> None:
    report = "# Battery in winter\n\n## Summary ##\n\nThe cold **halves** it. [more](#/notes/n)\n"
    assert plain(report, 200) == "Battery in winter · Summary · The cold halves it. more"
    assert plain("# Only a title", 200) == "Only a title"
    assert plain(prose(report), 200) == "The cold halves it. more"
    assert prose("# Only a title") == "# Only a title"
