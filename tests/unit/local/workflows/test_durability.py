"""Executions outlive their process, and keep the revision they began with."""

import json
import signal
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from infra.local.workflows.ports import HttpRequest, HttpResponse
from infra.local.workflows.store import Store
from tests.unit.local.workflows.support import Cloud, FakeHttp, as_json

VICTIM_SECONDS = 600


def run_victim(data_dir: Path, kill_after: int = 0) -> str:
    """Run the victim to its end, or until SIGKILL ends it at the call of that number; what it printed."""
    command = [sys.executable, "-m", "tests.unit.local.workflows.victim", str(data_dir), str(kill_after)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=VICTIM_SECONDS)
    assert done.returncode == (-signal.SIGKILL if kill_after else 0)
    return done.stdout


@pytest.mark.slow
def test_an_execution_killed_at_four_moments_goes_on_and_ends_once(tmp_path: Path) -> None:
    for kill_after in (1, 5, 10, 15):
        assert run_victim(tmp_path, kill_after) == ""
    result = json.loads(run_victim(tmp_path))
    assert result == [sum(range(1, 13)) + sum(range(100, 104)), list(range(1, 13))]
    store = Store(tmp_path)
    assert [row.state for row in store.executions("flow")] == ["SUCCEEDED"]
    store.close()
    calls = Counter((tmp_path / "calls").read_text().split())
    assert set(calls) == {str(n) for n in [*range(1, 13), *range(100, 104)]}
    assert calls.total() <= 16 + 4 + 3, "a kill repeats what was under way, and nothing else"


def reopened(cloud: Cloud) -> Cloud:
    """A new process on the same data, an hour and a half later."""
    cloud.close()
    other = Cloud(cloud.data_dir, cloud.http)
    other.clock.call_later(5400, lambda: None, "time passes")
    other.clock.run_until(lambda: False, limit=timedelta(seconds=5400))
    return other


def test_a_sleep_goes_on_after_a_restart_and_one_that_is_over_ends_at_once(cloud: Cloud) -> None:
    cloud.deploy("main:\n  params: [s]\n  steps:\n    - nap: {call: sys.sleep, args: {seconds: '${s}'}}\n")
    names = [cloud.begin(3600), cloud.begin(7200)]
    cloud.clock.run_until(lambda: True, limit=timedelta(0))
    other = reopened(cloud)
    started = other.clock.now()
    other.part.start()
    other.settle(names[0])
    assert other.clock.now() - started < timedelta(seconds=1)
    other.settle(names[1])
    assert timedelta(seconds=1700) < other.clock.now() - started < timedelta(seconds=1900)
    other.close()


def test_a_call_under_way_is_made_again_after_a_restart(cloud: Cloud, tmp_path: Path) -> None:
    def hang(_request: HttpRequest) -> HttpResponse:
        cloud.clock.sleep(10**6)
        return as_json("too late")

    cloud.http.by = hang
    cloud.deploy(
        "main:\n  steps:\n    - a: {call: http.get, args: {url: 'http://127.0.0.1:9/'}, result: x}\n"
        "    - r: {return: '${x.body}'}\n"
    )
    name = cloud.begin()
    cloud.clock.run_until(lambda: len(cloud.http.requests) == 1, limit=timedelta(seconds=1))
    cloud.part.close()
    other = Cloud(tmp_path, FakeHttp([as_json("again")]))
    other.part.start()
    assert json.loads(other.settle(name).result) == "again"
    assert other.http.requests == cloud.http.requests
    other.close()


def test_a_retry_keeps_its_count_over_a_restart(cloud: Cloud) -> None:
    cloud.http.answers = [as_json({}, 503)]
    cloud.deploy("""
main:
  steps:
    - a:
        try: {call: http.get, args: {url: 'http://127.0.0.1:9/'}}
        retry: {predicate: '${http.default_retry_predicate}', max_retries: 2, backoff: {initial_delay: 60}}
""")
    name = cloud.begin()
    cloud.clock.run_until(lambda: len(cloud.http.requests) == 2, limit=timedelta(minutes=2))
    other = reopened(cloud)
    other.part.start()
    assert other.settle(name).state == 3
    assert len(cloud.http.requests) == 3
    other.close()


def test_an_execution_keeps_the_revision_it_began_with(cloud: Cloud) -> None:
    flow = """
main:
  steps:
    - nap: {call: sys.sleep, args: {seconds: 60}}
    - r: {return: '${sys.get_env("V")}'}
"""
    cloud.deploy(flow, env={"V": "old"})
    name = cloud.begin()
    cloud.clock.run_until(lambda: True, limit=timedelta(0))
    cloud.deploy(flow.replace("60", "1").replace("nap", "later"), env={"V": "new"})
    newer = cloud.begin()
    other = reopened(cloud)
    other.part.start()
    assert [json.loads(other.settle(one).result) for one in (name, newer)] == ["old", "new"]
    revisions = [other.get(one).workflow_revision_id for one in (name, newer)]
    assert [one.split("-")[0] for one in revisions] == ["000001", "000002"]
    other.close()


def test_deploying_the_same_again_makes_no_revision(cloud: Cloud) -> None:
    flow = "main:\n  steps:\n    - r: {return: 1}\n"
    for _ in range(2):
        cloud.deploy(flow)
    assert cloud.settle(cloud.begin()).workflow_revision_id.startswith("000001-")


def test_a_cancel_abandons_a_call_under_way_and_ignores_its_answer(cloud: Cloud) -> None:
    def slow(_request: HttpRequest) -> HttpResponse:
        cloud.clock.sleep(50)
        return as_json("late")

    cloud.http.by = slow
    cloud.deploy(
        "main:\n  steps:\n    - a: {call: http.get, args: {url: 'http://127.0.0.1:9/'}}\n"
        "    - b: {call: http.get, args: {url: 'http://127.0.0.1:9/'}}\n"
    )
    name = cloud.begin()
    cloud.clock.run_until(lambda: len(cloud.http.requests) == 1, limit=timedelta(seconds=1))
    assert cloud.part.api.cancel(name).state == 4
    cloud.clock.run_until(lambda: False, limit=timedelta(hours=1))
    assert (cloud.get(name).state, len(cloud.http.requests)) == (4, 1)


def test_a_cancel_reaches_an_execution_that_is_busy(cloud: Cloud) -> None:
    cloud.deploy("main:\n  steps:\n    - spin: {next: spin}\n")
    name = cloud.begin()
    assert cloud.part.api.cancel(name).state == 4
    assert cloud.clock.run_until(lambda: True, limit=timedelta(0))
    assert cloud.get(name).state == 4
