"""Cancelling in each state: the stream closes with it at once, what was said is kept, and nothing is written after."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import pytest

from shared.contracts.operations import Usage
from shared.contracts.tasks import TaskCreate, TaskPatch
from shared.errors import NotFound
from shared.llm.port import Text, UsageDelta
from shared.store import paths
from shared.store.database import Database
from shared.store.errors import Uncertain
from shared.store.writes import delete
from shared.tasks.create import create as create_task
from shared.tasks.patch import patch_once
from shared.tools.registry import Registry
from shared.tools.tool import Job, Tool
from tests.support.scripted_model import Endless, Pause
from tests.support.seams import CountingIds
from tests.support.waiting import wait_until
from tests.unit.chat.world import Echo, MakeWorld, Stream, World, call

AT_MOST_SECONDS = 10.0
"""Far less than a model or a tool may take. How long it does take, bench/ measures."""


def cancelled(world: World, stream: Stream, *, elsewhere: bool) -> None:
    """Cancel, here or in another process; the worker's stream must end with it."""
    begun = time.monotonic()
    chat = world.other() if elsewhere else world.chat
    answer = chat.cancel(world.workspace, world.session_id)
    assert answer.cancelled and answer.session.running_turn_id is None
    rest = stream.rest()
    assert time.monotonic() - begun < AT_MOST_SECONDS
    assert rest[-1].event == "done" and rest[-1].data["status"] == "cancelled"
    assert rest[-2].type == "turn_ended" and world.turn().status == "cancelled"
    assert rest[-2].data["data"]["model"] == rest[-1].data["model"] == "scripted-1"


def nothing_after(world: World) -> None:
    """Let whatever still runs come to rest: the end stays the end."""
    last = world.session.seq
    world.tools.opened.set()
    wait_until(lambda: not world.chat._workers._held, what="the worker stopped")
    assert world.types()[-1] == "turn_ended" and world.session.seq == last
    assert world.executions.started == [], "nobody shall carry it on"


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "elsewhere"])
def test_while_the_model_is_silent(make_world: MakeWorld, elsewhere: bool) -> None:
    pause = Pause()
    world = make_world([Text("I was say"), pause, Text("ing")])
    stream = world.send()
    stream.until("delta")
    assert pause.reached.wait(5)
    cancelled(world, stream, elsewhere=elsewhere)
    nothing_after(world)
    if not elsewhere:
        assert world.turn().answer == "I was say"
        assert stream.got[-3].data["data"] == {
            "iteration": 1, "partial": True, "text": "I was say", "turn_id": world.turn().id,
        }  # fmt: skip


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "elsewhere"])
def test_while_the_model_writes(make_world: MakeWorld, elsewhere: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.loop.drafts.EVERY_SECONDS", 0.05)
    world = make_world([Endless()])
    stream = world.send()
    for _ in range(50):
        stream.until("delta")
    wait_until(lambda: world.store.chats.draft(world.session_id, world.turn().id).text)  # type: ignore[union-attr]
    cancelled(world, stream, elsewhere=elsewhere)
    nothing_after(world)
    assert world.turn().answer.startswith("and on and on"), "what was said is kept"


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "elsewhere"])
def test_what_was_used_until_then_is_told(
    make_world: MakeWorld, elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.loop.drafts.EVERY_SECONDS", 0.0)
    pause, spent = Pause(), UsageDelta(Usage(input_tokens=7, output_tokens=2))
    world = make_world([call("a")], [Text("I was"), spent, Text(" say"), pause, Text("ing")])
    stream = world.send()
    assert pause.reached.wait(5)
    cancelled(world, stream, elsewhere=elsewhere)
    assert (world.turn().usage.input_tokens, world.turn().usage.output_tokens) == (17, 7)
    assert world.session.usage == world.turn().usage and stream.got[-1].data["usage"]["input_tokens"] == 17


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "elsewhere"])
def test_while_a_tool_blocks(make_world: MakeWorld, elsewhere: bool) -> None:
    world = make_world([Text("Let me see."), call("x", "block")])
    stream = world.send()
    assert world.tools.reached.wait(5)
    cancelled(world, stream, elsewhere=elsewhere)
    assert world.tools.cut.wait(AT_MOST_SECONDS), "the tool is ended too"
    nothing_after(world)
    assert world.turn().answer == "Let me see." and "tool_result" not in world.types()


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "elsewhere"])
def test_a_tool_that_is_about_to_write_writes_nothing_any_more(make_world: MakeWorld, elsewhere: bool) -> None:
    world = make_world([call("x", "write")])
    stream = world.send()
    assert world.tools.reached.wait(5)
    cancelled(world, stream, elsewhere=elsewhere)
    nothing_after(world)
    assert world.tools.refused.wait(5) and world.effects() == []


def test_a_tool_whose_turn_ended_before_its_worker_knew_writes_nothing(make_world: MakeWorld) -> None:
    world = make_world([call("x", "write")])
    world.send()
    assert world.tools.reached.wait(5)
    world.other().cancel(world.workspace, world.session_id)
    world.tools.opened.set()  # at once: whether its worker has heard of the cancel by now is a race
    assert world.tools.refused.wait(5) and world.effects() == []


def test_a_change_that_comes_after_the_turn_is_refused_at_once_and_not_tried_again(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make_world([call("x", "finish")])
    task = create_task(
        world.store, TaskCreate(title="Call Anna"), clock=world.clock, ids=CountingIds("t"), key=None
    ).task
    paused: list[int] = []
    monkeypatch.setattr(Database, "pause", lambda _self, attempt: paused.append(attempt))

    def finish(job: Job, _arguments: Echo) -> Mapping[str, Any]:
        """Finishes the task."""
        store = job.store
        store.chats._database.commit(
            [delete(paths.draft(world.session_id, world.turn().id))], "test"
        )  # as a cancel does
        return patch_once(store, task.id, TaskPatch(done=True), job.effect, clock=job.clock)

    chat = world.other(tools=lambda: Registry([Tool("finish", Echo, finish)]))
    answering = chat.answer(world.said("Hello?"))
    stream = Stream(answering.frames, answering.leave)
    result = stream.until("trace", "tool_result").data["data"]
    assert not result["ok"] and "nothing more is changed" in result["result"]["error"]["message"]
    assert paused == [] and not world.store.tasks.get(task.id).done
    world.model.add([Pause()])
    chat.cancel(world.workspace, world.session_id)
    stream.rest()
    world.model._lines.clear()


def test_while_it_waits_to_ask_again(make_world: MakeWorld) -> None:
    from shared.errors import Transient

    world = make_world([Transient("busy")], chat_retry_seconds=20.0)
    stream = world.send()
    stream.until("trace", "model_error")
    cancelled(world, stream, elsewhere=False)
    nothing_after(world)


def test_a_turn_whose_worker_has_died(make_world: MakeWorld) -> None:
    world = make_world([Text("x"), Pause()])
    world.send().until("delta")
    world.die()
    assert world.other().cancel(world.workspace, world.session_id).cancelled
    assert world.turn().status == "cancelled"
    assert world.carry_on().done and world.types()[-1] == "turn_ended"


def test_after_the_end_it_is_a_no_op_that_says_so(make_world: MakeWorld) -> None:
    world = make_world([Text("Done.")])
    world.whole()
    seq = world.session.seq
    answer = world.chat.cancel(world.workspace, world.session_id)
    assert not answer.cancelled and "nothing to cancel" in answer.message
    assert world.session.seq == seq and world.turn().status == "completed"


def test_a_message_whose_turn_was_cancelled_before_its_begin_was_answered_gets_the_turn_as_it_ended(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit of the begin is applied and its answer lost; before the next look somebody cancels."""
    world = make_world()
    real = Database.commit

    def commit(self: Database, writes: Any, point: str) -> Any:
        moment = real(self, writes, point)
        if point == "chat.begin":
            world.other().cancel(world.workspace, world.session_id)
            raise Uncertain("no answer")
        return moment

    monkeypatch.setattr(Database, "commit", commit)
    for _ in range(2):  # and the client's own retry
        got = world.send("Hello?", key="k").rest()
        assert [frame.type for frame in got if frame.event == "trace"] == ["user_message", "turn_ended"]
        assert got[-1].event == "done" and got[-1].data["status"] == "cancelled"
    assert world.session.turns == 1 and world.whole("Hello?", key="k").status == "cancelled"


def test_without_a_session_it_is_not_found(make_world: MakeWorld) -> None:
    with pytest.raises(NotFound):
        make_world().chat.cancel("demo", "absent")


def test_the_next_turn_is_accepted_and_told_of_the_one_before(make_world: MakeWorld) -> None:
    world = make_world([Text("I was"), Pause()], [Text("Again.")])
    stream = world.send("First?")
    stream.until("delta")
    cancelled(world, stream, elsewhere=False)
    assert world.whole("Second?").answer == "Again."
    said = world.model.requests[1].messages[1].parts[0]
    assert isinstance(said, Text) and said.text == "I was\n\n(The turn was cancelled here.)"


def test_deleting_a_session_cancels_its_turn_and_leaves_nothing(make_world: MakeWorld) -> None:
    world = make_world([Text("First."), call("a")], [Text("Done.")], [call("x", "block")])
    world.whole()
    stream = world.send("More?")
    assert world.tools.reached.wait(5)
    world.other().delete(world.workspace, world.session_id)
    stream.rest()
    nothing_there(world)
    world.tools.opened.set()
    wait_until(lambda: not world.chat._workers._held, what="the worker stopped")
    nothing_there(world)


def nothing_there(world: World) -> None:
    session = world.client.document(f"workspaces/{world.workspace}/chat_sessions/{world.session_id}")
    assert not session.get().exists and list(session.collections()) == []
    for name in ("answers", "events", "turns", "drafts"):
        found = [one.reference.path for one in world.client.collection_group(name).stream()]
        assert not [path for path in found if path.startswith(f"workspaces/{world.workspace}/")]
