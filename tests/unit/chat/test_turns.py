"""A turn from its message to its end: the loop, its bounds, and each failure of the model."""

from __future__ import annotations

from shared.llm.port import Text, Thought
from tests.unit.chat.world import MakeWorld, call


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


def test_calls_are_run_and_their_results_go_back_in_order(make_world: MakeWorld) -> None:
    world = make_world([Text("Looking."), call("a"), call("b", n=2)], [Text("Both.")])
    done = world.whole()
    assert done.answer == "Both." and sorted(world.tools.ran) == ["a", "b"]
    results = world.model.requests[1].messages[-1]
    assert results.role == "tool" and [part.content for part in results.parts] == [{"echo": "a"}, {"echo": "b"}]
    answer = world.model.requests[1].messages[-2]
    assert answer.provider == "scripted" and "signature-1" in answer.verbatim
