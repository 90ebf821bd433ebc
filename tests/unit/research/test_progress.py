from __future__ import annotations

from typing import Any

import pytest

from shared.contracts.operations import Usage
from shared.research.progress import progress, usage_of
from tests.unit.research.build import IMAGE, THOUGHT, output, text

SEARCH = {"type": "google_search_call", "id": "1", "arguments": {"queries": ["bees", "wasps"]}}
READ = {"type": "url_context_call", "id": "2", "arguments": {"urls": ["https://a.example"]}}
INPUT = {"type": "user_input", "content": [text("question")]}
RUN = [INPUT, THOUGHT, SEARCH, {"type": "google_search_result", "call_id": "1", "result": []}, READ, output("12345")]


def test_each_kind_of_step_has_its_event() -> None:
    told = progress([*RUN, output(IMAGE), {"type": "code_execution_call"}, {"type": None}], 0, ended=True)
    assert list(told.events) == [
        ("thought", {"text": "Looking at it."}),
        ("search", {"queries": ["bees", "wasps"]}),
        ("reading", {"urls": ["https://a.example"]}),
        ("writing", {"characters": 5}),
        ("writing", {"characters": 5}),
        ("step", {"step_type": "code_execution_call"}),
        ("step", {"step_type": "unknown"}),
    ]
    assert told.steps_seen == 8


def test_the_last_step_of_a_running_run_waits_until_it_is_whole() -> None:
    first = progress(RUN, 0, ended=False)
    assert [kind for kind, _ in first.events] == ["thought", "search", "reading"]
    rest = progress([*RUN[:-1], output("123456789")], first.steps_seen, ended=True)
    assert list(rest.events) == [("writing", {"characters": 9})]


def test_nothing_new_is_no_event_and_fewer_steps_than_before_are_no_step_back() -> None:
    assert progress(RUN, 5, ended=True).events == ()
    assert progress(RUN[:3], 5, ended=True).steps_seen == 5


def test_a_flood_of_steps_is_told_in_a_bounded_number_of_events() -> None:
    told = progress([SEARCH] * 1_000, 0, ended=True)
    assert len(told.events) == 200
    assert told.events[-1] == ("step", {"step_type": "left_out", "steps": 801})


def test_a_flood_of_long_steps_leaves_room_for_the_report_in_its_commit() -> None:
    long = {"type": "google_search_call", "arguments": {"queries": ["漢" * 1_000] * 20}}
    told = progress([long] * 100, 0, ended=True)
    assert len(str(told.events).encode()) < 2_100_000
    assert told.events[-1] == ("step", {"step_type": "left_out", "steps": 101 - len(told.events)})


@pytest.mark.parametrize("arguments", [None, [], "x", {"queries": None}, {"queries": {"a": 1}}, {"queries": [None, 1]}])
def test_arguments_of_any_shape_never_fail(arguments: Any) -> None:
    told = progress([{"type": "google_search_call", "arguments": arguments}], 0, ended=True)
    assert told.events == (("search", {"queries": []}),)


def test_usage_counts_tokens_and_searches() -> None:
    usage = {
        "total_input_tokens": 7,
        "total_output_tokens": 5,
        "total_thought_tokens": None,
        "grounding_tool_count": "x",
    }
    assert usage_of(usage, [SEARCH]) == Usage(input_tokens=7, output_tokens=5, searches=2)
    counted = {"grounding_tool_count": [{"type": "google_search", "count": 80}, {"type": "google_maps", "count": 1}, 3]}
    assert usage_of(counted, [SEARCH]).searches == 80
    assert usage_of(None, []) == Usage()
    beyond = {"total_input_tokens": 10**30, "grounding_tool_count": [{"type": "google_search", "count": 10**30}] * 9}
    assert usage_of(beyond, []).input_tokens + 9 * usage_of(beyond, []).searches < 2**63
