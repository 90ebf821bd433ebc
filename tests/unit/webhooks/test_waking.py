"""From a webhook that is the service's own to the execution that waits, on a real Firestore."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from shared.contracts.operations import Operation
from shared.contracts.research import ListenRequest
from shared.errors import Forbidden, MemexError, Transient, WorkspaceClosed
from shared.store.effects import KEPT
from shared.store.operations import Operations
from shared.store.system import SystemStore
from shared.webhooks.waking import Waking
from tests.unit.research.world import World, execution

CALLBACK = f"https://workflowexecutions.googleapis.com/v1/{execution(1)}/callbacks/c1"


@dataclass
class FakeCallbacks:
    """Each call takes the next of `errors`."""

    errors: list[MemexError | None] = field(default_factory=list)
    called: list[str] = field(default_factory=list)

    def wake(self, url: str) -> None:
        self.called.append(url)
        error = self.errors.pop(0) if self.errors else None
        if error is not None:
            raise error


class Bench:
    def __init__(self, world: World) -> None:
        self.world, self.callbacks = world, FakeCallbacks()
        system = SystemStore(world.client, world.clock, random.Random(3))
        self.waking = Waking(world._store, lambda: system, self.callbacks, world.settings, world.clock)
        # Ids of interactions are unique in the world; all tests share one database.
        self.run = f"v1_run_of_{world.workspace}"
        world.interactions.creates = [self.run]

    def begin(self, *, listening: bool = True) -> None:
        self.world.begin()
        if listening:
            self.listen()

    def listen(self) -> None:
        world = self.world
        request = ListenRequest(
            workspace=world.workspace,
            operation_id=world.operation.id,
            fence=world.operation.fence,
            callback_url=CALLBACK,
        )
        self.answer = world.research.listen(request)

    def told(self, webhook_id: str = "msg_1", interaction_id: str = "") -> None:
        self.waking.told(webhook_id.split(), interaction_id or self.run)

    @property
    def operation(self) -> Operation:
        return self.world.operation


@pytest.fixture
def bench(world: World) -> Bench:
    return Bench(world)


def test_a_copy_of_the_operation_in_another_workspace_keeps_nobody_from_being_woken(bench: Bench) -> None:
    bench.begin()
    copy = {**bench.operation.model_dump(), "status": "cancelled"}
    first = bench.world.client.collection(f"workspaces/0-{bench.world.workspace}/operations")
    first.document("copy").set({**copy, "id": "copy"})
    first.document("broken").set({"interaction_id": bench.run})
    bench.told()
    assert bench.callbacks.called == [CALLBACK]


def test_the_execution_that_waits_is_called(bench: Bench) -> None:
    bench.begin()
    bench.told()
    assert bench.callbacks.called == [CALLBACK]
    assert bench.operation.wakes == 1 and bench.operation.wakes_seen == 0
    assert bench.world.poll().status == "running" and bench.operation.wakes_seen == 1


def test_before_anybody_listens_it_is_kept_for_whoever_does(bench: Bench) -> None:
    bench.begin(listening=False)
    bench.told()
    assert bench.callbacks.called == []
    bench.listen()
    assert bench.answer.next_poll_seconds < 1


def test_the_same_webhook_again_is_no_second_wake(bench: Bench) -> None:
    bench.begin()
    bench.told()
    bench.world.poll()
    bench.told()
    bench.told()
    assert bench.operation.wakes == 1 and bench.callbacks.called == [CALLBACK]


def test_three_at_once_are_one_wake_and_those_too_many_are_sent_for_later(bench: Bench) -> None:
    bench.begin()

    def tell(_n: int) -> str:
        try:
            bench.told()
        except Transient:
            return "later"
        return "done"

    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(tell, range(3)))
    assert bench.operation.wakes == 1
    # Who waits for the others' commits lets time pass, and may then take the call for one that was lost.
    called = len(bench.callbacks.called)
    assert 1 <= called == answers.count("done")
    bench.world.poll()
    assert [tell(n) for n in range(2)] == ["done", "done"]
    assert len(bench.callbacks.called) == called and bench.operation.wakes == 1


def test_one_whose_taker_died_before_the_call_is_carried_on_by_the_next_delivery(bench: Bench) -> None:
    bench.begin()
    bench.callbacks.errors = [Transient("the process died here")]
    with pytest.raises(Transient):
        bench.told()
    bench.world.clock.advance(15)
    bench.told()
    assert bench.callbacks.called == [CALLBACK, CALLBACK] and bench.operation.wakes == 1


def test_another_webhook_about_the_same_run_wakes_again(bench: Bench) -> None:
    bench.begin()
    bench.told("msg_1")
    bench.world.poll()
    bench.told("msg_2")
    assert bench.operation.wakes == 2 and bench.callbacks.called == [CALLBACK, CALLBACK]


def test_a_token_that_comes_with_another_id_is_no_second_wake(bench: Bench) -> None:
    bench.begin()
    bench.told("msg_1 token")
    bench.world.poll()
    bench.told("msg_2 token")
    bench.told("msg_1 another_token")
    assert bench.operation.wakes == 1 and bench.callbacks.called == [CALLBACK]


def test_an_interaction_that_nobody_knows_leaves_nothing_behind(bench: Bench) -> None:
    bench.begin()
    before = bench.operation
    bench.told(interaction_id="v1_nobodys")
    assert bench.operation == before and bench.callbacks.called == []
    assert not list(bench.world.client.collection(f"workspaces/{bench.world.workspace}/effects").stream())


def test_after_the_end_it_does_nothing(bench: Bench) -> None:
    bench.begin()
    bench.world.research.engine.cancel(bench.world.workspace, bench.operation.id)
    bench.told()
    assert bench.operation.wakes == 0 and bench.callbacks.called == []


def test_while_a_person_reads_the_plan_it_does_nothing(bench: Bench) -> None:
    bench.begin()
    bench.world.edit(status="awaiting_approval")
    bench.told()
    assert bench.operation.wakes == 0 and bench.callbacks.called == []


def test_a_workspace_that_is_deleted_is_nothing_to_wake(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.begin()

    def closed(*_: object, **__: object) -> None:
        raise WorkspaceClosed("It is being deleted.")

    monkeypatch.setattr(Operations, "append", closed)
    bench.told()
    assert bench.callbacks.called == []


def test_an_earlier_attempts_webhook_does_not_wake_for_the_present_one(bench: Bench) -> None:
    bench.begin()
    bench.world.edit(interaction_id="v1_another_of_" + bench.world.workspace)
    bench.told()
    assert bench.operation.wakes == 0 and bench.callbacks.called == []


def test_an_execution_that_took_over_is_not_called_at_its_predecessors_address(bench: Bench) -> None:
    bench.begin()
    bench.world.executions.dead.add(execution(1))
    bench.world.start(2)
    bench.told()
    assert bench.callbacks.called == []
    assert bench.world.poll().next_poll_seconds >= 0.5 and bench.operation.wakes_seen == 1


def test_an_account_that_may_not_call_is_no_reason_to_send_it_again(bench: Bench) -> None:
    bench.begin()
    bench.callbacks.errors = [Forbidden("no role")]
    bench.told()
    assert bench.operation.wakes == 1


def test_the_id_of_a_webhook_is_forgotten_after_its_time(bench: Bench) -> None:
    bench.begin()
    bench.told()
    rows = list(bench.world.client.collection(f"workspaces/{bench.world.workspace}/effects").stream())
    [row] = [row for row in rows if row.id.startswith("webhook_")]
    kept = row.get("expire_at") - row.get("created_at")
    assert kept == KEPT
