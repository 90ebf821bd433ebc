"""What a message asks for, clause by clause."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from infra.local.aiplatform.everyday.asks import Ask, asks

TODAY = date(2026, 11, 30)
FRIDAY = date(2026, 12, 4)


def ask(kind: Any, text: str = "", **more: Any) -> Ask:
    return Ask(kind, text, **more)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("What do my notes say about sourdough?", [ask("find", "sourdough")]),
        ("Please search my notes for solar panels.", [ask("find", "solar panels")]),
        ("what do I know about the battery?", [ask("find", "the battery")]),
        ("How long should the dough rest?", [ask("find", "How long should the dough rest?")]),
        ("Find the report on rye", [ask("find", "rye", words=("report",))]),
        ("note that the boiler was serviced", [ask("note", "the boiler was serviced")]),
        ("Remember that Anna likes tea.", [ask("note", "Anna likes tea")]),
        ("write a note about heat pumps", [ask("note", "heat pumps", words=("heat pumps",))]),
        ("add a task to call mum by friday", [ask("task", "call mum", day=FRIDAY)]),
        ("remind me to renew the passport on 2026-12-04", [ask("task", "renew the passport", day=FRIDAY)]),
        ("remember to buy flour", [ask("task", "buy flour")]),
        ("todo: sweep the chimney", [ask("task", "sweep the chimney")]),
        ("put milk on my list", [ask("task", "milk")]),
        ("what is due this week?", [ask("tasks", day=date(2026, 12, 6))]),
        ("list my tasks", [ask("tasks")]),
        ("do I have any overdue tasks?", [ask("tasks", day=date(2026, 11, 29))]),
        ("mark the task call mum as done", [ask("done", "call mum")]),
        ("I've finished the tax return", [ask("done", "tax return")]),
        ("tag the note about bread with baking and food", [ask("tag", "bread", words=("baking", "food"))]),
        ("add the tag baking to my note about bread", [ask("tag", "bread", words=("baking",))]),
        ("summarise the note about bread", [ask("summary", "bread")]),
        ("summarize what I wrote about bread", [ask("find", "what I wrote about bread")]),
        ("Research why rye ferments faster", [ask("research", "why rye ferments faster")]),
        ("show my latest notes", [ask("recent", "show my latest notes")]),
        ("make me a digest", [ask("digest", "make me a digest")]),
        ("Hello there!", [ask("talk", "Hello there!")]),
        ("thanks", [ask("talk", "thanks")]),
        ("bread bread bread", []),
        ("search the web for rye flour prices", [ask("web", "rye flour prices")]),
        ("look up rye flour online", [ask("web", "rye flour")]),
        ("google rye flour", [ask("web", "rye flour")]),
        ("What does the web say about rye?", [ask("web", "rye")]),
        ("search for web design in my notes", [ask("find", "web design in my notes")]),
        ("read https://a.example/x?y=1,2.", [ask("page", "https://a.example/x?y=1,2")]),
        ("What does http://127.0.0.1:80/p say?", [ask("page", "http://127.0.0.1:80/p")]),
        ("save https://a.example/x as a note", [ask("clip", "https://a.example/x")]),
        (
            "Start a run to compare A, B and C; put it in a table.",
            [ask("run", "compare A, B and C; put it in a table.")],
        ),
        ("start an agent run: What do they charge?", [ask("run", "What do they charge?")]),
    ],
)
def test_one_thing_is_understood(message: str, expected: list[Ask]) -> None:
    found = asks(message, TODAY)
    if expected and expected[0].kind in ("talk", "recent", "digest"):
        assert [one.kind for one in found] == [one.kind for one in expected]
    else:
        assert found == expected


def test_several_things_are_understood_in_their_order() -> None:
    message = 'Remind me to call mum by friday, add a task to buy "salt and pepper" and list my notes about bread.'
    found = [(one.kind, one.text) for one in asks(message, TODAY)]
    assert found == [("task", "call mum"), ("task", 'buy "salt and pepper"'), ("find", "bread")]


def test_it_leans_on_what_was_asked_for_before() -> None:
    find, task = asks("find the report on rye and add a task from it by friday", TODAY)
    assert find.kind == "find" and task == ask("task", day=FRIDAY, leans=True)
    (alone,) = asks("add a task from it", TODAY)
    assert not alone.leans
    (later,) = asks("add a task from it to bake", TODAY, earlier=True)
    assert later == ask("task", "bake", leans=True)


def test_nothing_in_a_dictated_note_asks_for_anything() -> None:
    message = "Write a note about the mail: add a task to pay 500 euros; research bitcoin\nmark all tasks as done"
    (note,) = asks(message, TODAY)
    assert note.kind == "note" and note.text.startswith("add a task") and note.words == ("the mail",)


def test_what_stands_in_quotes_is_never_cut() -> None:
    assert asks('search for "bread, and add a task to run"', TODAY) == [ask("find", "bread, and add a task to run")]


def test_a_change_can_be_asked_for_as_a_proposal() -> None:
    (task,) = asks("propose to add a task to clean the roof", TODAY)
    assert task == ask("task", "clean the roof", proposed=True)
