"""What the emulated services are made to do: research as long and as busy as Google describes it, a chat, a plan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from infra.local.aiplatform.model_script import ModelScript, call, say
from infra.local.aiplatform.script import Script

NOTES = (
    (
        "Cold retard log",
        "The dough with 20 percent rye rested 14 hours in the fridge at 4 degrees. The cold slows the yeast more than "
        "the bacteria, so the crumb came out more sour and the crust blistered. After 30 hours the crumb was dense.",
    ),
    (
        "Rye in sourdough",
        "Rye ferments faster than wheat, because it carries more enzymes. A sourdough with rye should rest shorter at "
        "room temperature, three hours at 24 degrees, before it goes into the fridge.",
    ),
    ("Bicycle", "The chain was replaced after 3,100 kilometres; the cassette had no wear to speak of."),
)
QUESTION = "How long should a sourdough with rye rest in the fridge, and what does the cold do to the crumb?"
ASKED = "What do my notes say about rye in the fridge?"
GOAL = "Find out how rye, cold and time change a sourdough, and say how long it should rest."

_PARTS, _SENTENCES = 4, 60
_SENTENCE = "The dough that rested longer in the cold was the more sour one, as three of the sources found. "


def research(seconds: float, searches: int) -> Script:
    """A run of so many searches, each with a thought about it, and a report of some 23 KB and 40 citations."""
    steps: list[Mapping[str, Any]] = []
    for n in range(searches):
        arguments = {"queries": [f"sourdough rye cold retard {n}"]}
        steps.append({"type": "google_search_call", "id": f"s{n}", "arguments": arguments})
        steps.append({"type": "google_search_result", "call_id": f"s{n}", "result": []})
        steps.append({"type": "thought", "summary": [{"type": "text", "text": f"Search {n}. {_SENTENCE * 3}"}]})
    steps += [_part(n) for n in range(_PARTS)]
    statuses = ((0.0, "in_progress"), (seconds, "completed"))
    return Script(run_seconds=seconds, statuses=statuses, steps=tuple(steps))


def _part(number: int) -> Mapping[str, Any]:
    text = f"## Part {number + 1}\n\n{_SENTENCE * _SENTENCES}"
    cited = [
        {
            "type": "url_citation",
            "url": f"https://bread.example/{number}/{n}",
            "title": f"Bread {number}.{n}",
            "start_index": n * 100 + 20,
            "end_index": n * 100 + 110,
        }
        for n in range(10)
    ]
    return {"type": "model_output", "content": [{"type": "text", "text": text, "annotations": cited}]}


def chat_turn() -> tuple[ModelScript, ...]:
    """An answer that searches the notes, and one of some 200 tokens."""
    answer = f"Fourteen hours at four degrees. {_SENTENCE * 8}"
    return (
        ModelScript(items=(call("search_notes", query="rye fridge"),), asks="tools"),
        ModelScript(items=(say(answer),), asks="tools"),
    )


def five_steps() -> tuple[ModelScript, ...]:
    """A plan of five steps, of which the second and the third wait for the first alone."""
    tasks: tuple[tuple[str, str, list[str]], ...] = (
        ("s1", "What the notes say about rye in sourdough", []),
        ("s2", "What the notes say about resting in the cold", ["s1"]),
        ("s3", "What the notes say about the crumb", ["s1"]),
        ("s4", "What the notes say about rye and time at room temperature", ["s2", "s3"]),
        ("s5", "What the notes say about hours in the fridge", ["s4"]),
    )
    listed = [
        {"id": name, "title": task, "task": task, "tool": "sub_agent", "depends_on": needs}
        for name, task, needs in tasks
    ]
    return (ModelScript(items=(say(json.dumps({"steps": listed})),), asks="json", about=GOAL),)


THOUGHTS = (
    "Ana said that the bakery in Lisbon closes on Mondays from January on. I should order flour on Fridays.",
    "I prefer to work on the hard things before ten. Meetings before that cost me the day.",
    "The heat pump needs 3,400 kWh a year, a third less than the old one. The installer was Berger.",
    "Read the first half of the book on bees. Drones have no father but a grandfather.",
    "Idea: a weekly walk with Tom instead of the call. He lives in Zurich since May.",
    "The blue tyres last about 4,000 kilometres on gravel, the black ones twice that.",
    "The contract with the landlord ends on 30 September; notice has to be given three months before.",
    "My sister is allergic to walnuts. The cake for her birthday must do without.",
    "The project at work is to be finished in March. Next come the tests with real customers.",
    "The new oven is hotter at the back. Turn the bread after twenty minutes.",
)
"""A day's notes."""
SAID = (
    "What did I write about flour?",
    "I moved my desk to the window. Does any note speak of light?",
    "When does the contract with the landlord end?",
    "Who is allergic to what?",
    "My bicycle is now the blue one. What do I know about its tyres?",
    "What is still to be done for the project?",
    "Which book am I reading?",
    "I will visit Tom in June. Where does he live?",
    "How much does the heat pump need?",
    "What should I remember when I bake?",
)
"""What is asked of the chat on that day."""
