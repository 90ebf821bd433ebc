"""The writers of one process that are after the same run."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.runs import queueing
from shared.runs.claiming import Claim
from shared.runs.ports import Key
from shared.runs.queueing import Queue
from tests.unit.runs.world import MakeWorld, claiming, step

KEY = Key("w", "r1")


def test_one_is_at_it_at_a_time_and_other_runs_do_not_wait() -> None:
    queue, inside, most = Queue(), list[int](), list[int]()

    def write(number: int) -> None:
        with queue.turn(KEY), queue.turn(Key("w", f"other-{number}")):
            inside.append(number)
            most.append(len(inside))
            inside.remove(number)

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(write, range(40)))
    assert max(most) == 1 and queue._held == {} and queue._wanted == {}


def test_who_waits_too_long_goes_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queueing, "_PATIENCE_SECONDS", 0.02)
    queue, went = Queue(), threading.Event()

    def write() -> None:
        with queue.turn(KEY):
            went.set()

    with queue.turn(KEY):
        beside = threading.Thread(target=write)
        beside.start()
        assert went.wait(5)
        beside.join(5)


def test_five_who_claim_at_once_need_no_second_try(make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    world = make_world(run_lanes=5)
    key = world.begin(*(step(name) for name in "abcde"))
    fence = world.runs.plan(claiming(key)).fence
    paused: list[int] = []
    monkeypatch.setattr("shared.store.database.Database.pause", lambda _self, attempt: paused.append(attempt))
    with ThreadPoolExecutor(5) as pool:
        claims = list(pool.map(lambda _n: world.runs._claiming.next(key, fence), range(5)))
    assert len({claim.step.id for claim in claims if isinstance(claim, Claim)}) == 5 and paused == []
