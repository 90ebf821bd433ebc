"""The benchmark of tool choice: its prompts, its scores, and a run against the emulated model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bench.tool_choice.__main__ import main, table
from bench.tool_choice.asking import asked, tools
from bench.tool_choice.cases import CASES
from bench.tool_choice.scoring import Made, Share, score, scored
from bench.tool_choice.wants import Case, OneOf, Words, case, one_of, want, words
from shared.errors import Transient
from shared.llm.port import Call, Text
from tests.support.scripted_model import ScriptedModel

ONE = case("one", "x", want("list_tasks", done=True))
BOTH = case("both", "x", want("a", n=1), want("a", n=2), or_else=(want("b"),))
SILENT = Case("silent", "x", ((),))


def made(tool: str, **arguments: Any) -> Made:
    return Made(tool, arguments)


def plain(value: Any) -> Any:
    """Something that a matcher takes."""
    if isinstance(value, Words):
        return " ".join(value.words)
    if isinstance(value, OneOf):
        return value.values[0]
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list) else value


def test_there_are_enough_prompts_and_every_tool_of_the_chat_is_wanted_by_one() -> None:
    assert len(CASES) >= 40 and sum(one.abstains for one in CASES) >= 10
    assert len({one.name for one in CASES}) == len(CASES)
    wanted = {want.tool for one in CASES for way in one.wanted for want in way}
    assert wanted == {spec.name for spec in tools().specs()}


def test_what_is_wanted_can_be_called() -> None:
    registry = tools()
    for one in CASES:
        for way in one.wanted:
            for each in way:
                arguments = plain(each.arguments)
                if each.tool == "make_digest" and "day" in arguments:
                    arguments["day"] = "2026-11-23"
                assert each.fits(arguments), one.name
                registry.check(each.tool, arguments)
        for told in one.told:
            registry.check(told.tool, {"query": "x"} if "query" in told.arguments else told.arguments)


@pytest.mark.parametrize(
    ("wanted", "given", "fits"),
    [
        (words("call anna"), "Call ANNA back", True),
        (words("heat pump"), "heat pumps", True),
        (words("rye"), "fryer", False),
        (one_of(1, 2), 2, True),
        (one_of(1, 2), 3, False),
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1}, {"b": 2}, False),
        ([{"t": words("flour")}, {"t": words("chimney")}], [{"t": "the chimney"}, {"t": "flour"}], True),
        (["x"], ["x", "y"], False),
        ("x", "x", True),
        (True, False, False),
    ],
)
def test_arguments_fit_or_do_not(wanted: Any, given: Any, fits: bool) -> None:
    assert want("t", v=wanted).fits({"v": given}) is fits


@pytest.mark.parametrize(
    ("one", "calls", "tools_right", "arguments_right"),
    [
        (ONE, [made("list_tasks", done=True)], True, True),
        (ONE, [made("list_tasks", done=True, limit=5)], True, True),
        (ONE, [made("list_tasks")], True, False),
        (ONE, [Made("list_tasks", None)], True, False),
        (ONE, [], False, False),
        (ONE, [made("list_tasks", done=True), made("search_notes")], False, False),
        (BOTH, [made("a", n=2), made("a", n=1)], True, True),
        (BOTH, [made("a", n=1), made("a", n=1)], True, False),
        (BOTH, [made("a", n=1)], False, False),
        (BOTH, [made("b")], True, True),
        (SILENT, [], True, True),
        (SILENT, [made("b")], False, False),
    ],
)
def test_an_answer_is_scored(one: Case, calls: list[Made], tools_right: bool, arguments_right: bool) -> None:
    result = scored(one, calls)
    assert (result.tools, result.arguments) == (tools_right, arguments_right)


def test_an_answer_that_failed_is_wrong_even_where_none_was_wanted() -> None:
    assert not scored(SILENT, (), "unavailable: busy").right


def test_the_parts_of_a_score_are_about_their_own_cases() -> None:
    right, wrong = [made("list_tasks", done=True)], [made("list_tasks", done=False)]
    found = score([scored(ONE, right), scored(ONE, wrong), scored(ONE, []), scored(SILENT, []), scored(SILENT, right)])
    assert (found.tools, found.arguments) == (Share(2, 3), Share(1, 2))
    assert (found.abstention, found.whole) == (Share(1, 2), Share(2, 5))
    assert "| no tool where none is wanted | 1 | 2 | 0.50 |" in table(found)


@pytest.mark.parametrize(
    ("share", "low", "high"),
    [
        (Share(0, 10), 0.0, 0.2775),
        (Share(10, 10), 0.7225, 1.0),
        (Share(5, 10), 0.2366, 0.7634),
        (Share(90, 100), 0.8256, 0.9448),
        (Share(0, 0), 0.0, 1.0),
    ],
)
def test_intervals_are_wilsons(share: Share, low: float, high: float) -> None:
    assert share.interval == pytest.approx((low, high), abs=1e-4)


def test_a_model_is_asked_as_in_the_chat_and_calls_that_the_tool_refuses_have_no_arguments() -> None:
    told = next(one for one in CASES if one.told)
    with ScriptedModel([Call("c1", "list_tasks", {"limit": "many"})], [Text("Hm.")]) as model:
        assert asked(model, ONE).made == (Made("list_tasks", None),)
        asked(model, told)
    first, second = model.requests
    assert "You are Memex" in first.system and "2026-11-30" in first.system
    assert {spec.name for spec in first.tools} == {spec.name for spec in tools().specs()}
    assert [message.role for message in second.messages] == ["user", "model", "tool", "model", "user"]


def test_what_fails_in_passing_is_asked_again_twice() -> None:
    with ScriptedModel([Transient("busy")], [Call("c1", "list_tasks", {"done": True})]) as model:
        assert asked(model, ONE).right
    with ScriptedModel(*[[Transient("busy")]] * 3) as model:
        assert asked(model, SILENT).failure.startswith("unavailable")


def test_the_emulated_model_is_scored_and_may_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = tmp_path / "figures.json"
    given = ["--model", "emulated", "--role", "chat", "--only", "greeting", "--only", "tagged notes"]
    assert main([*given, "--json", str(figures)]) == 0
    assert main([*given, "--fail-under", "0.9"]) == 1
    said = capsys.readouterr().out
    assert "emulated by rules" in said and "| everything right | 1 | 2 | 0.50 |" in said and "below 0.9" in said
    assert json.loads(figures.read_text())["score"]["abstention"] == [1, 1]
