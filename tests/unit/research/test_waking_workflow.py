"""workflows/research.yaml waits for a call, and does not depend on one."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from infra.local.workflows.ports import HttpRequest, HttpResponse
from tests.unit.local.workflows.support import Cloud, FakeHttp, as_json

ROOT = Path(__file__).parents[3]
ARGUMENT = {"workspace": "demo", "operation_id": "op1"}
RUNNING = {"status": "running", "next_poll_seconds": 100.0}
ENDED = {"status": "completed", "next_poll_seconds": 0.0}


class Function:
    """The function `research` as the workflow sees it: each poll takes the next answer, the last one repeats."""

    def __init__(self, *polls: dict[str, Any], early_wake: bool = True) -> None:
        self._polls, self.early_wake = list(polls), early_wake
        self.listen: Callable[[], HttpResponse] = lambda: as_json(RUNNING)
        self.asked: list[tuple[str, float, dict[str, Any], str]] = []
        self.now: Callable[[], float] = lambda: 0.0

    def __call__(self, request: HttpRequest) -> HttpResponse:
        verb = request.url.rpartition("/")[2]
        self.asked.append((verb, self.now(), json.loads(request.body), request.headers["traceparent"]))
        if verb == "start":
            wakes = {"early_wake": True} if self.early_wake else {}
            return as_json({**RUNNING, "operation_id": "op1", "fence": 1, **wakes})
        if verb == "listen":
            return self.listen()
        return as_json(self._polls.pop(0) if len(self._polls) > 1 else self._polls[0])

    def times(self, verb: str) -> list[float]:
        return [round(at) for asked, at, _, _ in self.asked if asked == verb]


class Started:
    """An execution of the workflow on a virtual clock."""

    def __init__(self, data_dir: Path, function: Function, argument: dict[str, Any]) -> None:
        self.function = function
        self.cloud = Cloud(data_dir, FakeHttp(by=function))
        begun = self.cloud.clock.now()
        function.now = lambda: (self.cloud.clock.now() - begun).total_seconds()
        source = (ROOT / "workflows" / "research.yaml").read_text(encoding="utf-8")
        self.cloud.deploy(source, "research", {"RESEARCH_URL": "http://127.0.0.1:9/research"})
        self.name = self.cloud.begin(argument, "research")

    def wake_at(self, *seconds: float) -> None:
        for moment in seconds:
            self.cloud.clock.call_later(moment, self._wake, "wake")

    def _wake(self) -> None:
        [(callback, _method, _waiters)] = self.cloud.part.api.callbacks(self.name)
        self.cloud.part.api.callback(self.name, callback, {"http_request": {"method": "POST"}})

    def ended(self) -> dict[str, Any]:
        execution = self.cloud.settle(self.name)
        assert execution.state == 2, execution
        result: dict[str, Any] = json.loads(execution.result)
        return result


Begin = Callable[..., Started]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    made: list[Started] = []
    numbers = itertools.count(1)

    def start(function: Function, **argument: Any) -> Started:
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        made.append(Started(folder, function, {**ARGUMENT, **argument}))
        return made[-1]

    yield start
    for each in made:
        each.cloud.close()


def test_a_call_wakes_it_and_it_looks_at_once(begin: Begin) -> None:
    run = begin(Function(ENDED))
    run.wake_at(40.0)
    assert run.ended() == {"operation_id": "op1", "status": "completed"}
    assert run.function.times("poll") == [40]
    [listened] = [body for verb, _, body, _ in run.function.asked if verb == "listen"]
    assert run.name in listened["callback_url"] and listened["fence"] == 1


def test_without_a_call_it_looks_when_it_was_told_to(begin: Begin) -> None:
    run = begin(Function(RUNNING, RUNNING, ENDED))
    assert run.ended()["status"] == "completed"
    assert run.function.times("poll") == [100, 200, 300]


def test_it_can_be_woken_again_and_again(begin: Begin) -> None:
    run = begin(Function(RUNNING, RUNNING, ENDED))
    run.wake_at(10.0, 20.0)
    run.ended()
    assert run.function.times("poll") == [10, 20, 120]


def test_a_call_that_comes_while_it_looks_is_not_lost(begin: Begin) -> None:
    run = begin(Function(RUNNING, ENDED))
    run.wake_at(10.0, 10.0)
    run.ended()
    assert run.function.times("poll") == [10, 10]


def test_a_function_that_knows_of_no_wake_is_asked_as_before(begin: Begin) -> None:
    run = begin(Function(RUNNING, ENDED, early_wake=False))
    assert run.ended()["status"] == "completed"
    assert run.function.times("listen") == [] and run.function.times("poll") == [100, 200]


def test_one_that_cannot_be_told_costs_the_wake_alone(begin: Begin) -> None:
    function = Function(RUNNING, ENDED)
    function.listen = lambda: as_json({"error": {}}, 404)
    run = begin(function)
    assert run.ended()["status"] == "completed"
    assert function.times("listen") == [0] and function.times("poll") == [100, 200]


def test_what_listening_is_answered_counts(begin: Begin) -> None:
    function = Function(ENDED)
    function.listen = lambda: as_json({"status": "superseded", "next_poll_seconds": 0.0})
    assert begin(function).ended()["status"] == "superseded"
    assert function.times("poll") == []


@pytest.mark.parametrize("status", ["awaiting_approval", "a word of a later version"])
def test_any_other_status_than_running_ends_it(begin: Begin, status: str) -> None:
    assert begin(Function({"status": status, "next_poll_seconds": 0.0})).ended()["status"] == status


def test_the_context_of_the_trace_goes_with_every_call(begin: Begin) -> None:
    context = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    run, without = begin(Function(ENDED), traceparent=context), begin(Function(ENDED))
    run.ended()
    without.ended()
    assert [(verb, sent) for verb, _, _, sent in run.function.asked] == [
        ("start", context),
        ("listen", context),
        ("poll", context),
    ]
    assert {sent for _, _, _, sent in without.function.asked} == {""}
