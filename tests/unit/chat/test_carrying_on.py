"""A client leaves, an instance dies, a worker stands still: the turn is carried on, and nothing is done twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from shared import faultpoint
from shared.errors import Transient
from shared.llm.port import ModelRequest, Result, Text
from tests.support.scripted_model import Line, Pause
from tests.support.waiting import wait_until
from tests.unit.chat.world import MakeWorld, Stream, World, call


def left(world: World, stream: Stream) -> None:
    """The client leaves; the worker gives the turn back and has it carried on."""
    stream.leave()
    wait_until(lambda: not world.chat._workers._held, what="the worker stopped")


def carried_on(world: World) -> None:
    """The execution that was started when the turn was given back asks for it."""
    (started,) = world.executions.started
    assert started["workflow"] == "turn" and started["wait_seconds"] == 0.0
    answer = world.carry_on(started["turn_id"], world.other())
    assert answer.done and answer.status == "completed"
    dense(world)


def dense(world: World) -> None:
    assert [event.seq for event in world.events()] == list(range(1, world.session.seq + 1))
    assert world.types().count("turn_ended") == world.types().count("user_message")


def test_a_client_that_leaves_while_the_model_is_silent(make_world: MakeWorld) -> None:
    world = make_world([Text("I was"), Pause()], [Text("Whole.")])
    stream = world.send()
    stream.until("delta")
    left(world, stream)
    carried_on(world)
    assert world.types() == ["user_message", "turn_taken_over", "model_text", "turn_ended"]
    assert world.turn().answer == "Whole."


def test_a_client_that_leaves_in_a_tool(make_world: MakeWorld) -> None:
    world = make_world([call("a"), call("x", "block", n=2)], [Text("Whole.")])
    stream = world.send()
    stream.until("trace", "tool_result")
    assert world.tools.reached.wait(5)
    left(world, stream)
    world.tools.opened.set()
    carried_on(world)
    assert sorted(world.tools.ran) == ["a", "x", "x"], "the call whose result is stored is not run again"
    results = world.model.requests[1].messages[-1].parts
    assert [part.content for part in results if isinstance(part, Result)] == [{"echo": "a"}, {"blocked": "x"}]


def test_a_client_that_leaves_before_the_first_event(make_world: MakeWorld) -> None:
    pause = Pause()
    world = make_world([pause, Text("never")], [Text("Whole.")])
    stream = world.send()
    assert pause.reached.wait(5)
    left(world, stream)
    carried_on(world)


def test_a_client_that_leaves_between_an_answer_and_the_next(make_world: MakeWorld) -> None:
    pause = Pause()
    world = make_world([call("a")], [pause, Text("never")], [Text("Whole.")])
    stream = world.send()
    stream.until("trace", "tool_result")
    assert pause.reached.wait(5)
    left(world, stream)
    carried_on(world)
    assert world.tools.ran == ["a"]


def test_a_client_that_leaves_at_the_last_token(make_world: MakeWorld) -> None:
    """Whichever is faster, the end or the leaving: the turn is stored."""
    world = make_world([Text("All of it.")], [Text("All of it.")])
    stream = world.send()
    stream.until("delta")
    left(world, stream)
    if world.executions.started:
        carried_on(world)
    else:
        world.model._lines.clear()  # the second answer was not needed
    assert world.turn().answer == "All of it." and world.turn().status == "completed"
    dense(world)


def test_a_turn_that_cannot_be_handed_over_waits_for_its_lease(make_world: MakeWorld) -> None:
    world = make_world([Pause()], [Text("Whole.")])
    world.executions.failing = Transient("workflows are away")
    stream = world.send()
    stream.until("trace")
    left(world, stream)
    assert world.carry_on().done, "its lease was given back all the same"


def calls_then_text(request: ModelRequest) -> Line:
    """A model that goes by what it is told, however often it is asked."""
    return [Text("Whole.")] if request.messages[-1].role == "tool" else [call("a"), call("b", n=2)]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("point", ["chat.answer", "chat.result"])
@pytest.mark.parametrize("nth", [1, 2])
def test_a_worker_that_stands_still_at_a_commit_is_replaced_and_writes_nothing_more(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch, when: str, point: str, nth: int
) -> None:
    """A zombie: it stops at the n-th such commit, another carries the turn on to its end, and then it wakes up."""
    from threading import Event

    world = make_world(*[calls_then_text] * 4)
    stands, wakes, count = Event(), Event(), [0]

    def stand(name: str) -> None:
        if name == f"{when}_commit:{point}":
            count[0] += 1
            if count[0] == nth:
                stands.set()
                wakes.wait(10)

    monkeypatch.setattr("shared.store.database.faultpoint", stand)
    stream = world.send()
    assert stands.wait(5)
    if world.session.turn is not None:  # else it stands behind the commit that ended the turn
        world.die()
    other = world.other()
    assert world.carry_on(chat=other).done
    seq = world.session.seq
    wakes.set()
    rest = stream.rest()
    assert world.session.seq == seq and world.turn().status == "completed"
    dense(world)
    assert [frame.id for frame in rest if frame.event == "trace"] == [str(n) for n in range(1, seq + 1)]
    assert sorted({*world.tools.ran}) == ["a", "b"] and world.types().count("tool_result") == 2
    world.model._lines.clear()


def test_a_worker_that_was_thought_dead_writes_into_no_draft(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.loop.drafts.EVERY_SECONDS", 0.0)
    monkeypatch.setattr("shared.loop.watching.LOOK_SECONDS", 60.0)  # it does not notice by itself
    dead, alive = Pause(), Pause()
    world = make_world([Text("Old"), dead, Text(" text")], [Text("New"), alive, Text(" text")])
    stream = world.send()
    assert dead.reached.wait(5)
    turn_id = world.turn().id
    world.die()
    other = world.other()
    with ThreadPoolExecutor(1) as pool:
        carried = pool.submit(world.carry_on, None, other)
        assert alive.reached.wait(5)
        dead.open()
        wait_until(lambda: not world.chat._workers._held, what="the dead worker stopped")
        draft = world.store.chats.draft(world.session_id, turn_id)
        assert draft is not None and (draft.text, draft.fence) == ("New", 2)
        alive.open()
        assert carried.result(10).done
    stream.rest()
    assert world.turn().answer == "New text"


def test_a_draft_of_the_worker_before_is_void_for_the_next(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.loop.drafts.EVERY_SECONDS", 0.0)
    silent = Pause()
    world = make_world([Text("Old"), Pause()], [silent])
    stream = world.send()
    wait_until(lambda: world.store.chats.draft(world.session_id, world.turn().id).text)  # type: ignore[union-attr]
    world.die()
    with ThreadPoolExecutor(1) as pool:
        carried = pool.submit(world.carry_on, None, world.other())
        assert silent.reached.wait(5)
        world.chat.cancel(world.workspace, world.session_id)
        assert carried.result(10).done
    stream.rest()
    assert world.turn().answer == "", "what the one before wrote was not this answer"


def test_while_its_worker_lives_a_turn_is_left_alone(make_world: MakeWorld) -> None:
    pause = Pause()
    world = make_world([pause, Text("Done.")])
    stream = world.send()
    assert pause.reached.wait(5)
    answer = world.carry_on(chat=world.other())
    assert not answer.done and 0 < answer.next_seconds <= 21.0
    pause.open()
    stream.rest()
    assert world.carry_on().done and "turn_taken_over" not in world.types()


def test_a_working_worker_renews_its_lease(make_world: MakeWorld) -> None:
    pause = Pause()
    world = make_world([pause, Text("Done.")], chat_lease_seconds=1.2)
    stream = world.send()
    assert pause.reached.wait(5)
    before = world.session.turn
    assert before is not None
    wait_until(lambda: world.session.turn.lease_expires_at > before.lease_expires_at)  # type: ignore[union-attr]
    assert not world.carry_on(chat=world.other()).done
    pause.open()
    assert stream.rest()[-1].data["status"] == "completed"


def test_three_who_carry_on_at_once_do_it_once(make_world: MakeWorld) -> None:
    world = make_world([Pause()], [call("a")], [Text("Whole.")])
    stream = world.send()
    stream.until("trace")
    left(world, stream)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: world.carry_on(chat=world.other()), range(3)))
    wait_until(lambda: world.session.turn is None)
    assert world.tools.ran == ["a"] and world.types().count("turn_taken_over") == 1
    dense(world)


def test_a_stream_goes_on_from_the_store_when_its_worker_is_lost(make_world: MakeWorld) -> None:
    """The client stays, the worker is replaced: the client sees the whole turn."""
    pause = Pause()
    world = make_world([Text("I was"), pause], [call("a")], [Text("Whole.")])
    stream = world.send()
    stream.until("delta")
    world.die()
    assert world.carry_on(chat=world.other()).done
    got = stream.rest()
    assert [frame.type for frame in got if frame.event == "trace"] == world.types()
    assert got[-1].event == "done" and got[-1].data["answer"] == "Whole."


def test_a_turn_of_a_deleted_session_is_over(make_world: MakeWorld) -> None:
    world = make_world([Text("Done.")])
    world.whole()
    key = world.key()
    world.chat.delete(world.workspace, world.session_id)
    assert world.carry_on(key.turn_id).done


def test_a_renewal_whose_answer_comes_late_does_not_bring_an_ended_turn_back(
    make_world: MakeWorld,
) -> None:
    """The watcher renews beside the worker; were its older state taken, the model would be asked once more."""
    from shared.chat.beginning import Beginning
    from shared.loop.seat import Ending, Entry

    world = make_world()
    held = Beginning(world.chat.ports).begin(world.said("Hello?"), lambda _told: None).held
    assert held is not None

    def end_before_the_answer(name: str) -> None:
        if name == "after_commit:chat.renew":
            held.commit(lambda _progress: Entry(ending=Ending("end")), point="end")

    faultpoint.install(end_before_the_answer)
    try:
        held.renew()
    finally:
        faultpoint.install(None)
    assert held.ended and held.session.turn is None
