"""What a client sees: whole, once and in order, wherever its connection broke and however many turns there were."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from shared.chat.beginning import TurnRunning
from shared.chat.following import Follower
from shared.errors import NotFound, Transient, Unprocessable
from shared.llm.port import Text, Thought
from tests.support.scripted_model import Pause
from tests.support.seams import FakeClock
from tests.support.waiting import wait_until
from tests.unit.chat.world import Frame, MakeWorld, Stream, World, call, frames


def resumed(world: World, cursor: int, until: str | None = None, seconds: float = 5.0) -> list[Frame]:
    """What a client gets that comes back with this Last-Event-ID."""
    follower = Follower(world.store, world.session_id, world.clock, cursor, until)
    return list(frames(follower.frames(seconds)))


def traces(got: list[Frame]) -> list[tuple[str, Any]]:
    return [(frame.id, frame.data) for frame in got if frame.event == "trace"]


def test_a_stream_resumed_at_each_event_equals_the_uninterrupted_one(make_world: MakeWorld) -> None:
    world = make_world([Thought("Hm."), Text("Let me see."), call("a"), call("b", n=2)], [Text("There.")])
    got = world.send().rest()
    whole, turn_id = traces(got), world.turn().id
    assert len(whole) == 9
    for cursor in range(len(whole)):
        again = resumed(world, cursor, turn_id)
        assert whole[:cursor] + traces(again) == whole
        assert again[-1].event == "done" and again[-1].data == got[-1].data


def test_one_resumed_stream_carries_two_turns_in_a_row(make_world: MakeWorld) -> None:
    world = make_world([Text("One.")], [Text("Two.")])
    first = world.send("First?").rest()
    second = world.send("Second?").rest()
    both = traces(first) + traces(second)
    for cursor in range(len(both)):
        again = resumed(world, cursor, world.turn().id)
        assert traces(again) == both[cursor:]
        assert [frame.event for frame in again].count("done") == (2 if cursor < 3 else 1)


@pytest.mark.slow
def test_a_stream_of_a_session_waits_for_the_next_turn(make_world: MakeWorld) -> None:
    pause = Pause()
    world = make_world([Text("One."), pause], [Text("Two.")])
    got: list[Frame] = []
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(lambda: got.extend(resumed(world, 0, seconds=3.0)))
        first = world.send("First?")
        assert pause.reached.wait(5)
        pause.open()
        first.rest()
        world.send("Second?").rest()
        reading.result(10)
    assert [frame.type for frame in got if frame.event == "trace"] == world.types()
    assert [frame.event for frame in got].count("done") == 2


def test_a_stream_of_a_session_in_which_no_turn_runs_ends_soon_and_asks_to_come_back_slowly(
    make_world: MakeWorld,
) -> None:
    world = make_world([Text("One."), Pause()])
    clock = FakeClock()
    follower = Follower(world.store, world.session_id, clock, 0)
    assert list(follower.frames(300.0))[-1] == "retry: 20000\n\n" and sum(clock.slept) <= 15.0
    stream = world.send()
    stream.until("delta")
    running = Follower(world.store, world.session_id, clock, 0).frames(60.0)
    assert list(running)[-1] == "retry: 1000\n\n", "while a turn runs it stays"
    world.chat.cancel(world.workspace, world.session_id)
    stream.rest()


def test_who_comes_in_the_middle_sees_the_draft(make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.loop.drafts.EVERY_SECONDS", 0.0)
    pause = Pause()
    world = make_world([Text("Once upon"), pause, Text(" a time.")])
    stream = world.send()
    assert pause.reached.wait(5)
    reader = frames(Follower(world.store, world.session_id, world.clock, 0, world.turn().id).frames(10))
    assert next(reader).type == "user_message"
    draft = next(reader)
    assert draft.event == "draft" and draft.data["text"] == "Once upon"
    pause.open()
    assert [frame.event for frame in reader if frame.event != "draft"] == ["trace", "trace", "done"]
    stream.rest()


def test_what_is_written_before_the_model_pauses_is_kept(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draft is due once a second at most: the pieces since the last one are stored where no other comes."""
    monkeypatch.setattr("shared.loop.watching.LOOK_SECONDS", 0.02)
    monkeypatch.setattr("shared.loop.watching.EVERY_SECONDS", 0.04)
    pause = Pause()
    world = make_world([Text("Once "), Text("upon"), pause, Text(" a time.")])
    stream = world.send()
    assert pause.reached.wait(5)

    def kept() -> bool:
        draft = world.store.chats.draft(world.session_id, world.turn().id)
        return draft is not None and draft.text == "Once upon"

    wait_until(kept, what="the draft")
    pause.open()
    stream.rest()


def test_what_others_write_into_the_stream_is_not_left_out(make_world: MakeWorld) -> None:
    """A title that is changed while a turn runs is an event between those of the worker."""
    from shared.chat.sessions import rename
    from shared.contracts.chat import SessionPatch

    pause = Pause()
    world = make_world([Text("x"), pause])
    stream = world.send()
    stream.until("delta")
    rename(world.store, world.session_id, SessionPatch(title="Another"), clock=world.clock)
    pause.open()
    got = stream.rest()
    assert [frame.id for frame in got if frame.event == "trace"] == ["1", "2", "3", "4"]
    assert stream.types()[1] == "session_renamed"


def test_two_messages_at_once_are_answered_one_after_the_other(make_world: MakeWorld) -> None:
    pause = Pause()
    world = make_world([pause, Text("One.")])
    stream = world.send("First?")
    assert pause.reached.wait(5)
    with pytest.raises(TurnRunning) as refused:
        world.send("Second?")
    assert refused.value.status == 409 and refused.value.details == {"turn_id": world.turn().id}
    with pytest.raises(TurnRunning):
        world.send("First?")
    pause.open()
    stream.rest()
    assert world.types().count("user_message") == 1


def test_many_messages_at_the_same_moment_begin_one_turn(make_world: MakeWorld) -> None:
    pause = Pause()
    world = make_world([pause, Text("One.")])
    refused: list[str] = []
    streams: list[Stream] = []

    def send(n: int) -> None:
        try:
            streams.append(world.send(f"Message {n}"))
        except TurnRunning as conflict:
            refused.append(conflict.details["turn_id"])

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(send, range(5)))
    pause.open()
    (stream,) = streams
    stream.rest()
    assert refused == [world.turn().id] * 4 and world.session.turns == 1


def test_the_same_key_joins_the_turn_while_it_runs_and_after(make_world: MakeWorld) -> None:
    pause = Pause()
    world = make_world([Text("One"), pause, Text(".")])
    first = world.send("First?", key="k")
    assert pause.reached.wait(5)
    second = world.send("First?", key="k")
    said = second.until("trace")
    assert (said.type, said.data["data"]["key"]) == ("user_message", "k"), "who said it knows it again"
    pause.open()
    whole, joined = first.rest(), second.rest()
    assert traces(whole) == traces(joined) and joined[-1].event == "done"
    assert traces(world.send("First?", key="k").rest()) == traces(whole), "after its end it is told again"
    assert world.whole("First?", key="k").answer == "One."
    assert world.session.turns == 1 and len(world.model.requests) == 1


def test_three_at_once_with_one_key_are_one_turn(make_world: MakeWorld) -> None:
    world = make_world([call("a")], [Text("One.")])
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda _: world.whole("First?", key="k"), range(3)))
    assert {one.turn_id for one in done} == {world.turn().id} and world.tools.ran == ["a"]
    assert {one.answer for one in done} == {"One."}


def test_a_key_is_good_for_one_message(make_world: MakeWorld) -> None:
    world = make_world([Text("One.")])
    world.whole("First?", key="k")
    with pytest.raises(Unprocessable):
        world.send("Second?", key="k")


def test_a_message_to_a_session_that_is_not_there(make_world: MakeWorld) -> None:
    world = make_world()
    world.session_id = "absent"
    with pytest.raises(NotFound):
        world.send()


def test_a_silent_model_is_covered_by_heartbeats(make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.chat.streaming.HEARTBEAT_SECONDS", 0.2)
    monkeypatch.setattr("shared.loop.watching.LOOK_SECONDS", 0.01)  # renewing the lease is no frame
    pause = Pause()
    world = make_world([pause, Text("x")], chat_lease_seconds=0.4)
    answering = world.chat.answer(world.said("Hello?"))
    texts = [next(answering.frames) for _ in range(4)]
    assert texts[0] == ": open\n\n" and texts[-1] == ": heartbeat\n\n"
    pause.open()
    assert list(answering.frames)[-1].startswith("event: done")


def test_a_deleted_session_ends_the_streams_that_follow_it(make_world: MakeWorld) -> None:
    world = make_world([Text("One.")])
    world.whole()
    reader = frames(Follower(world.store, world.session_id, world.clock, 0).frames(10))
    next(reader)
    world.chat.delete(world.workspace, world.session_id)
    assert list(reader)[-1].event in ("trace", "done")
    wait_until(lambda: world.store.chats.find(world.session_id) is None)


@pytest.mark.parametrize("from_the_store", [False, True])
def test_a_store_that_is_away_at_the_end_costs_no_one_the_done(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch, from_the_store: bool
) -> None:
    from shared.chat import showing

    world, done = make_world([Text("One.")]), showing.done
    first = world.send()
    if from_the_store:
        first.rest()
    away = [True]

    def away_once(*given: Any, **more: Any) -> Any:
        if away.pop() if away else False:
            raise Transient("away")
        return done(*given, **more)

    monkeypatch.setattr(showing, "done", away_once)
    got = resumed(world, 0, world.turn().id) if from_the_store else first.rest()
    assert [frame.type for frame in got if frame.event == "trace"] == ["user_message", "model_text"]
    again = resumed(world, 2, world.turn().id)
    assert [frame.type or frame.event for frame in again] == ["turn_ended", "done"]
