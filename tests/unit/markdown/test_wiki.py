"""[[Names]] in a text lead to notes of that title, and to nothing else."""

from __future__ import annotations

import pytest

from shared.markdown import html, wiki

NOTES = {"Cold garage": "n1", "bread": "n/2"}


def test_a_name_becomes_a_link_with_its_own_words_or_others() -> None:
    assert html("See [[Cold garage]].", NOTES) == '<p>See <a href="#/notes/n1">Cold garage</a>.</p>\n'
    assert '<a href="#/notes/n%2F2">the loaf</a>' in html("**[[bread|the loaf]]**", NOTES)


def test_a_name_without_a_note_is_seen_to_be_one() -> None:
    assert html("See [[Nowhere]].", NOTES) == '<p>See <span class="missing">[[Nowhere]]</span>.</p>\n'


@pytest.mark.parametrize("text", ["`[[bread]]`", "```\n[[bread]]\n```", "[go [[bread]] on](https://a.example)"])
def test_code_and_links_stay_what_they_are(text: str) -> None:
    assert "#/notes" not in html(text, NOTES)


def test_brackets_are_text_where_nobody_has_looked_for_notes() -> None:
    assert html("See [[bread]].") == "<p>See [[bread]].</p>\n"


def test_a_name_is_text_and_no_markup() -> None:
    markup = html("[[<img src=x onerror=y>]] [[bread|<b>x</b>]]", NOTES)
    assert "<img" not in markup and "<b>" not in markup


def test_names_are_found_once_each_and_not_without_end() -> None:
    assert wiki.named("[[a]] [[ a ]] [[b|c]] [[]] [[d\ne]]") == ("a", "b")
    assert len(wiki.named(" ".join(f"[[{n}]]" for n in range(1000)))) == wiki.NAMES


def test_a_name_finds_a_title_with_a_capital_but_rather_its_own() -> None:
    assert wiki.titles(["bread", "Roof"]) == ("bread", "Bread", "Roof")
    assert wiki.resolved(["bread"], {"Bread": "n1"}) == {"bread": "n1"}
    assert wiki.resolved(["bread"], {"Bread": "n1", "bread": "n2"}) == {"bread": "n2"}
