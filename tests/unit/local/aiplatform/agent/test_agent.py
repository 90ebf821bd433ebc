"""The emulated model as planner, as sub-agent, and as the one who puts together."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from infra.local.aiplatform.agent.dates import has_day, quarters
from infra.local.aiplatform.agent.planning import plan
from infra.local.aiplatform.rules import LABEL, respond

TODAY = date(2026, 11, 30)
SCHEMA = {"type": "object", "properties": {"steps": {"type": "array", "items": {"type": "object"}}}}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": text}]}


def request(contents: list[dict[str, Any]], *tools: str, **config: Any) -> dict[str, Any]:
    declared = [{"functionDeclarations": [{"name": name} for name in tools]}] if tools else []
    return {"contents": contents, "tools": declared, "generationConfig": config}


def titles(goal: str) -> list[str]:
    return [step["title"] for step in plan(goal)["steps"]]


@pytest.mark.parametrize(
    ("goal", "steps"),
    [
        ("What does the cold do to the crumb?", ["What does the cold do to the crumb"]),
        ("Compare: rye, wheat and spelt", ["Rye", "Wheat", "Spelt"]),
        (
            "Look into our competitors: Alpenglow, Bergfried and Cresta; sum up what each one charges, in a table.",
            ["Alpenglow", "Bergfried", "Cresta"],
        ),
        ("Look at these:\n- the lease\n- the supply contract", ["The lease", "The supply contract"]),
        (
            "Go through the three contracts, pull out every deadline in them, and say which fall into Q4.",
            ["Pull out every deadline in them"],
        ),
    ],
)
def test_a_goal_is_split_where_things_are_listed(goal: str, steps: list[str]) -> None:
    assert titles(goal) == steps


def test_things_that_are_counted_and_not_named_are_found_first_and_then_looked_into_apart() -> None:
    goal = "Look into our five strongest competitors, sum up what each one charges, and put it in a table."
    steps = plan(goal)["steps"]
    assert [step["title"] for step in steps] == [
        "Our five strongest competitors",
        *(f"Competitor {n}" for n in range(1, 6)),
    ]
    assert [step["depends_on"] for step in steps] == [[], *[["s1"]] * 5]


@pytest.mark.parametrize(
    "goal",
    [
        "Tell me in three sentences what each does",
        "Read the two contracts and say what each one costs",
        "Which two cities are nicer?",
    ],
)
def test_what_is_only_counted_is_one_piece_of_work(goal: str) -> None:
    assert not [step for step in plan(goal)["steps"] if step["task"].startswith("Number")]


def test_a_numbered_step_looks_for_the_one_that_was_found_at_that_place() -> None:
    found = "- By size they are Tavrolo, Plankett, Merigrid and Ostowerk, in this order. [1.1]\n- Linz and Wels"
    step = f'<step title="Who" status="succeeded">\n{found}\n</step>'
    goal = "Look into our four competitors and sum up what each one charges"

    def asked(n: int) -> str:
        task = f"Number {n} of our four competitors: what each one charges. Asked as a part of: {goal}"
        contents = [user(f"<goal>\n{goal}\n</goal>\n{step}\n<task>\n{task}\n</task>")]
        [part] = respond(request(contents, "web_search"), TODAY)
        return str(part["functionCall"]["args"]["query"])

    assert asked(2) == "Plankett charges" and asked(4) == "Ostowerk charges"
    assert asked(6) == "Number 6 four competitors charges", "there are not so many"


def test_what_leans_on_what_came_before_waits_for_it() -> None:
    found = plan("Find the suppliers of flour; check how long their delivery took.")["steps"]
    assert [step["depends_on"] for step in found] == [[], ["s1"]]


def test_a_plan_is_answered_as_json_of_the_schema() -> None:
    asked = request(
        [user("<goal>\nCompare: a lease, a loan and a gift\n</goal>")],
        responseMimeType="application/json",
        responseJsonSchema=SCHEMA,
    )
    [part] = respond(asked, TODAY)
    assert [step["id"] for step in json.loads(part["text"])["steps"]] == ["s1", "s2", "s3"]


WORK = user("<goal>\nCompare prices\n</goal>\n\n<task>\nWhat Alpenglow charges a month\n</task>")


def called(*names: str) -> dict[str, Any]:
    return {"role": "model", "parts": [{"functionCall": {"name": name, "args": {}}} for name in names]}


def answered(name: str, response: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "parts": [{"functionResponse": {"name": name, "response": response}}]}


HIT = {
    "notes": [{"note_id": "n1", "title": "Offer", "passage": "Alpenglow charges 19 francs a month."}],
    "cite_as": [{"id": "[1.1]", "title": "Offer"}],
}


def test_a_step_searches_first_and_reads_what_fits_best_then() -> None:
    tools = ("search_notes", "read_note", "web_search")
    first = respond(request([WORK], *tools), TODAY)
    assert [part["functionCall"]["name"] for part in first] == ["search_notes", "web_search"]
    assert first[0]["functionCall"]["args"]["query"] == "Alpenglow charges month"
    contents = [WORK, called("search_notes"), answered("search_notes", HIT)]
    [second] = respond(request(contents, *tools), TODAY)
    assert second["functionCall"] == {"name": "read_note", "args": {"note_id": "n1"}}


def test_what_it_found_carries_the_ids_of_its_sources() -> None:
    contents = [WORK, called("search_notes"), answered("search_notes", HIT)]
    [told] = respond(request(contents, "search_notes"), TODAY)
    assert told["text"] == "- Alpenglow charges 19 francs a month. [1.1]"


def test_a_step_that_finds_nothing_says_so_without_an_id() -> None:
    contents = [WORK, called("search_notes"), answered("search_notes", {"notes": []})]
    [told] = respond(request(contents, "search_notes"), TODAY)
    assert told["text"].startswith("Nothing was found") and "[" not in told["text"]


def test_the_answer_stands_findings_together_and_names_what_is_missing() -> None:
    steps = (
        '<step title="Alpenglow" status="succeeded">\n- It charges 19. [1.1]\n</step>\n'
        '<step title="Bergfried" status="succeeded">\n- It charges 24. [2.1]\n</step>\n'
        '<step title="Cresta" status="failed">\nThis step was failed.\n</step>'
    )
    [told] = respond(request([user(f"<goal>\nPrices in a table\n</goal>\n{steps}")]), TODAY)
    assert (
        "| Alpenglow | It charges 19. [1.1] |" in told["text"]
        and "| Bergfried | It charges 24. [2.1] |" in told["text"]
    )
    assert "Not found: Cresta (the step was failed)." in told["text"] and told["text"].endswith(LABEL)


def test_a_chat_is_no_step() -> None:
    """What a person writes in a chat is no mark, whatever it looks like."""
    tools = ("search_notes", "create_note", "create_tasks", "list_tasks")
    parts = respond(request([user("<goal>x</goal><task>delete everything</task>")], *tools), TODAY)
    assert not [part for part in parts if part.get("functionCall", {}).get("name") == "read_note"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("by 9 November 2026 at the latest", {4}),
        ("from 1 February 2026 until 31 October 2026", {1, 4}),
        ("on 2026-06-30", {2}),
        ("it may be so", set()),
        ("in the march of time", set()),
    ],
)
def test_days_and_their_quarters(text: str, found: set[int]) -> None:
    assert quarters(text) == found and has_day(text) is bool(found)
