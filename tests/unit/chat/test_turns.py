"""A turn from its message to its end: the loop, its bounds, and each failure of the model."""

from __future__ import annotations

from typing import Any

import pytest

from shared.contracts.limits import ANSWER_TEXT_BYTES
from shared.errors import InputError, ModelOutputError, SettingsError, Transient
from shared.llm.port import Call, Text, Thought
from shared.loop.running import AT_ONCE
from tests.support.scripted_model import End, Endless, Pause
from tests.support.waiting import wait_until
from tests.unit.chat.world import MakeWorld, Stream, World, call


def test_a_turn_streams_the_text_and_stores_what_it_sends(make_world: MakeWorld) -> None:
    world = make_world([Thought("Hm."), Text("Hel"), Text("lo.")])
    stream = world.send("Who are you, and what do you know about bread?")
    got = stream.rest()
    assert [frame.event for frame in got] == ["trace", "delta", "delta", "trace", "trace", "trace", "done"]
    assert stream.types() == ["user_message", "model_thought", "model_text", "turn_ended"]
    assert [frame.data["text"] for frame in got if frame.event == "delta"] == ["Hel", "lo."]
    assert [frame.id for frame in got if frame.event == "trace"] == ["1", "2", "3", "4"]
    done = got[-1].data
    assert (done["status"], done["answer"]) == ("completed", "Hello.")
    assert done["session"]["title"] == "Who are you, and what do you know about bread?"
    assert world.session.turn is None and world.turn().last_seq == 4
    assert world.store.chats.draft(world.session_id, done["turn_id"]) is None


def test_several_calls_of_one_answer_run_at_once_and_are_answered_in_order(make_world: MakeWorld) -> None:
    world = make_world([Text("Looking."), call("slow", "block"), call("quick", n=2)], [Text("Both.")])
    stream = world.send()
    first = stream.until("trace", "tool_result")
    assert first.data["data"]["index"] == 1, "the second call does not wait for the first"
    world.tools.opened.set()
    stream.rest()
    answer, results = world.model.requests[1].messages[-2:]
    assert answer.provider == "scripted" and "signature-1" in answer.verbatim, "replayed as it was"
    assert [part.content for part in results.parts if not isinstance(part, Text | Thought | Call)] == [
        {"blocked": "slow"},
        {"echo": "quick"},
    ]


@pytest.mark.parametrize(
    ("lines", "status"),
    [([[Text("Done.")]], "completed"), ([[call("a")], [call("b")]], "completed"), ([[End("refused")]], "failed")],
    ids=["by an answer", "at a bound", "by a failure"],
)
def test_a_turn_says_which_model_answered(make_world: MakeWorld, lines: list[Any], status: str) -> None:
    world = make_world(*lines, chat_max_iterations=2)
    done = world.whole()
    assert (done.status, done.model, world.turn().model) == (status, "scripted-1", "scripted-1")
    assert done.trace[-1].data["model"] == "scripted-1"


def test_the_usage_of_all_answers_is_added_up(make_world: MakeWorld) -> None:
    world = make_world([call("a")], [Text("Done.")], [Text("Again.")])
    done = world.whole()
    assert (done.usage.input_tokens, done.usage.output_tokens) == (20, 10)
    world.whole("And?")
    assert world.session.usage.input_tokens == 30


def test_what_a_tool_uses_is_the_turns_usage_too(make_world: MakeWorld) -> None:
    world = make_world([call("tea", "search"), call("cake", "search")], [Text("Done.")])
    done = world.whole()
    assert (done.usage.input_tokens, done.usage.searches) == (30, 4)
    assert world.session.usage.searches == 4


@pytest.mark.parametrize(
    ("settings", "reason", "sentence"),
    [
        ({"chat_max_iterations": 2}, "iterations", "after 2 steps"),
        ({"chat_max_tokens": 30}, "tokens", "its 30 tokens"),
        ({"chat_max_calls": 2}, "calls", "more than 2 tool calls"),
    ],
)
def test_each_bound_ends_the_turn_with_its_own_sentence(
    make_world: MakeWorld, settings: dict[str, float], reason: str, sentence: str
) -> None:
    lines = [[call("a")], [call("b")], [call("c")]]
    world = make_world(*(lines if reason == "calls" else lines[:2]), **settings)
    done = world.whole()
    assert (done.status, world.turn().stop_reason) == ("completed", reason)
    assert sentence in done.answer and done.trace[-2].data["text"] == done.answer
    assert len(world.tools.ran) == 2
    for_each_call_a_result(world)


def test_time_ends_the_turn_too(make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    world = make_world([call("a", "block")])
    stream = world.send()
    assert world.tools.reached.wait(5)
    monkeypatch.setattr("shared.chat.bounds.Bounds.left_seconds", lambda _bounds, _turn: 0.0)
    world.tools.opened.set()
    stream.rest()
    assert world.turn().stop_reason == "time" and "longer than 300 seconds" in world.turn().answer


def test_when_the_time_is_up_no_further_call_is_begun(make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = [call(str(n), "block", n) for n in range(AT_ONCE + 2)]
    world = make_world(calls)
    stream = world.send()
    wait_until(lambda: len(world.tools.ran) == AT_ONCE, what="as many as run at once")
    monkeypatch.setattr("shared.chat.bounds.Bounds.left_seconds", lambda _bounds, _turn: 0.0)
    world.tools.opened.set()
    stream.rest()
    assert len(world.tools.ran) == AT_ONCE and world.turn().stop_reason == "time"
    results = [event.data for event in world.events() if event.type == "tool_result"]
    assert sorted(result["call_id"] for result in results) == sorted(one.id for one in calls)
    assert sum(result["ok"] for result in results) == AT_ONCE


def for_each_call_a_result(world: World) -> None:
    calls = [event.data["call_id"] for event in world.events() if event.type == "tool_call"]
    results = [event.data["call_id"] for event in world.events() if event.type == "tool_result"]
    assert calls == results


def test_an_answer_cut_by_the_model_says_so(make_world: MakeWorld) -> None:
    world = make_world([Text("A long"), End("max_tokens")])
    assert world.whole().answer == "A long" and world.turn().stop_reason == "length"


def test_a_model_that_fails_in_passing_is_asked_again_within_the_turn(make_world: MakeWorld) -> None:
    world = make_world([Text("Hel"), Transient("busy")], [Transient("busy")], [Text("Hello.")])
    stream = world.send()
    stream.rest()
    assert stream.types() == ["user_message", "model_error", "model_error", "model_text", "turn_ended"]
    error = next(frame for frame in stream.got if frame.type == "model_error").data["data"]
    assert (error["code"], error["message"], error["again"]) == ("unavailable", "busy", True)
    assert world.turn().answer == "Hello."


@pytest.mark.parametrize(
    ("failure", "code"), [(Transient("busy"), "unavailable"), (ModelOutputError("no answer"), "model_output")]
)
def test_a_model_that_fails_three_times_fails_the_turn_visibly(
    make_world: MakeWorld, failure: Exception, code: str
) -> None:
    world = make_world(*[[failure]] * 3)
    done = world.whole()
    assert done.status == "failed" and done.error is not None and done.error.code == code
    assert [event.type for event in done.trace] == ["user_message", *["model_error"] * 3, "turn_ended"]
    assert [event.data["again"] for event in done.trace[1:4]] == [True, True, False]
    assert done.trace[-1].data["error"]["code"] == code and world.session.turn is None


def test_an_answer_that_says_nothing_is_none(make_world: MakeWorld) -> None:
    world = make_world([Thought("Hm.")], [Text("  ")], [Text("Here.")])
    assert world.whole().answer == "Here."


def test_a_model_that_declines_fails_the_turn(make_world: MakeWorld) -> None:
    world = make_world([End("refused")])
    error = world.whole().error
    assert error is not None and error.code == "model_declined"


def test_what_no_repetition_mends_is_not_repeated(make_world: MakeWorld) -> None:
    world = make_world([SettingsError("The key is not known: set MODEL_API_KEY.")])
    error = world.whole().error
    assert error is not None and "MODEL_API_KEY" in error.message


def test_a_conversation_that_is_too_long_is_halved_and_asked_again(make_world: MakeWorld) -> None:
    world = make_world([Text("One.")], [Text("Two.")], [InputError("too long")], [Text("Three.")])
    for text in ("First?", "Second?", "Third?"):
        done = world.whole(text)
    assert done.answer == "Three."
    tried, again = world.model.requests[-2:]
    assert len(tried.messages) == 5 and len(again.messages) < 5
    assert again.messages[-1].parts == (Text("Third?"),)


def test_one_that_is_too_long_by_itself_fails(make_world: MakeWorld) -> None:
    world = make_world([InputError("too long")])
    error = world.whole().error
    assert error is not None and (error.code, error.message) == ("invalid_input", "too long")


MALFORMED = (
    Call("c1", "echo", {}, problem="the arguments are no JSON"),
    Call("c1", "no_such_tool", {"text": "x"}),
    Call("c1", "echo", {"text": 7}),
    Call("c1", "", {}, problem="no name"),
)


@pytest.mark.parametrize("bad", MALFORMED, ids=["unreadable", "unknown", "arguments", "nameless"])
def test_a_call_that_could_not_be_read_goes_back_to_the_model(make_world: MakeWorld, bad: Call) -> None:
    world = make_world([bad], [bad], [call("good")], [bad], [bad], [Text("Mended.")])
    done = world.whole()
    assert done.answer == "Mended." and world.tools.ran == ["good"]
    result = world.model.requests[1].messages[-1].parts[0]
    assert getattr(result, "failed", False) and "error" in getattr(result, "content", {})


def test_three_in_a_row_fail_the_turn(make_world: MakeWorld) -> None:
    world = make_world([MALFORMED[0]], [MALFORMED[1]], [MALFORMED[2]])
    done = world.whole()
    assert done.error is not None and done.error.code == "malformed_calls"
    for_each_call_a_result(world)


def test_a_bug_of_ours_ends_the_turn_visibly(make_world: MakeWorld) -> None:
    world = make_world()

    def broken() -> None:
        raise RuntimeError("secret internals")

    done = world.other(tools=broken).answer_whole(world.said("Hello?"))
    assert done.error is not None and done.error.code == "internal" and "secret" not in done.error.message


def test_what_the_person_reads_meanwhile_is_a_draft(make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.loop.drafts.EVERY_SECONDS", 0.0)
    pause = Pause()
    world = make_world([Text("Once upon"), pause, Text(" a time.")])
    stream = world.send()
    assert pause.reached.wait(5)
    draft = world.store.chats.draft(world.session_id, world.turn().id)
    assert draft is not None and (draft.iteration, draft.text) == (1, "Once upon")
    pause.open()
    stream.rest()
    assert world.turn().answer == "Once upon a time."


def test_blocks_are_rendered_for_who_asks(make_world: MakeWorld) -> None:
    world = make_world([Text("# Head\n\nOne *two*.\n\nThr"), Text("ee <script>")])
    answering = world.chat.answer(world.said("Hello?"), html=True)
    stream = Stream(answering.frames, answering.leave)
    got = stream.rest()
    blocks = [frame.data for frame in got if frame.event == "block"]
    assert [block["n"] for block in blocks] == [0, 1] and "<em>two</em>" in blocks[1]["html"]
    whole = next(frame.data["data"]["html"] for frame in got if frame.type == "model_text")
    assert "<em>two</em>" in whole and "<script>" not in whole


def test_a_fault_of_ours_in_making_a_call_ends_the_turn_visibly(make_world: MakeWorld) -> None:
    world = make_world([call("a")])

    def services(_workspace: str) -> None:
        raise ZeroDivisionError

    done = world.other(services=services).answer_whole(world.said("Hello?"))
    assert (done.status, done.error.code if done.error else "") == ("failed", "internal")
    for_each_call_a_result(world)
    assert [event.data["result"]["error"]["code"] for event in done.trace if event.type == "tool_result"] == [
        "no_result"
    ]


@pytest.mark.parametrize("pieces", [1, 50], ids=["at once", "in pieces"])
def test_a_text_that_is_more_than_can_be_kept_is_cut_and_says_so(make_world: MakeWorld, pieces: int) -> None:
    world = make_world([Text("ü" * (ANSWER_TEXT_BYTES // 2 // pieces + 10)) for _ in range(pieces)])
    done = world.whole()
    assert (done.status, world.turn().stop_reason) == ("completed", "length")
    (stored,) = world.store.chats.answers(world.session_id, world.turn().id)
    assert len(stored.parts[0]["text"].encode()) <= ANSWER_TEXT_BYTES and "bytes cut" in stored.parts[0]["text"][-40:]


def test_an_endless_text_is_not_waited_for(make_world: MakeWorld) -> None:
    world = make_world([Endless("and on " * 2_000)])
    assert world.whole().status == "completed" and world.turn().stop_reason == "length"


def test_calls_that_are_more_than_can_be_kept_fail_the_turn_in_our_words(make_world: MakeWorld) -> None:
    world = make_world([Thought("hm" * 1_000_000), call("x" * 1_200_000)])
    error = world.whole().error
    assert error is not None and error.code == "model_too_long" and "ask for less at once" in error.message


def test_thoughts_without_end_are_cut_and_the_answer_kept(make_world: MakeWorld) -> None:
    world = make_world([Thought("hm" * 1_000_000), Text("Here.")])
    assert world.whole().answer == "Here."


def test_a_model_that_writes_half_a_character_is_answered_like_any_other(make_world: MakeWorld) -> None:
    """Its JSON may spell a lone surrogate, which no stream and no store can hold."""
    world = make_world([Text("Look \ud83d."), Call("c\ud83d", "echo\ud83d", {"text": "a"})], [Text("Done \ud83d!")])
    stream = world.send()
    got = stream.rest()
    assert [frame.data["text"] for frame in got if frame.event == "delta"] == ["Look ?.", "Done ?!"]
    assert got[-1].data["status"] == "completed" and world.turn().answer == "Done ?!"
