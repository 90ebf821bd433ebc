"""Workers that open what strangers made: when they are ended, what they see, and what their fence keeps them from."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from shared.errors import Transient
from shared.gateway.sandbox import Sandbox, WorkerDied
from shared.gateway.transport import Cut, TransportError
from tests.support.waiting import wait_until

LONG = 60.0
"""Seconds that no test waits for."""


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a worker, sleeping_worker, says who it is and what it sees before it sleeps."""
    told = tmp_path / "told"
    (tmp_path / "sleeping_worker.py").write_text(
        "import os, pathlib, time\n"
        f"pathlib.Path({str(told)!r}).write_text(f'{{os.getpid()}} {{sorted(os.environ)}}')\n"
        "time.sleep(60)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    return told


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def cut_once_it_runs(told: Path) -> Cut:
    """A handle that is cut once the worker has told of itself."""
    cut = Cut()

    def wait() -> None:
        wait_until(lambda: told.exists() and told.read_text().endswith("]"), what="the worker runs")
        cut.cut("cancelled")

    threading.Thread(target=wait, daemon=True).start()
    return cut


def test_a_cut_ends_the_worker_which_has_seen_no_secret(told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "secret")
    monkeypatch.setenv("SOME_TOKEN", "secret")
    with pytest.raises(TransportError) as ended:
        Sandbox("sleeping_worker").answer(b"", seconds=LONG, cut=cut_once_it_runs(told))
    process, _, seen = told.read_text().partition(" ")
    assert ended.value.reason == "cancelled" and gone(int(process))
    assert "PYTHONPATH" in seen and "GEMINI_API_KEY" not in seen and "SOME_TOKEN" not in seen


def test_a_worker_is_ended_at_its_deadline(told: Path) -> None:
    began = time.monotonic()
    with pytest.raises(WorkerDied, match=r"longer than 0\.3 seconds"):
        Sandbox("sleeping_worker").answer(b"", seconds=0.3, cut=Cut())
    assert time.monotonic() - began < LONG / 2


def test_a_worker_that_ends_itself_has_no_answer() -> None:
    with pytest.raises(WorkerDied, match="without an answer"):
        Sandbox("no_such_module").answer(b"", seconds=LONG, cut=Cut())


def test_a_third_worker_waits_its_time_and_then_says_to_try_again(told: Path) -> None:
    sandbox, held = Sandbox("sleeping_worker"), Cut()

    def hold() -> None:
        with pytest.raises(TransportError):
            sandbox.answer(b"", seconds=LONG, cut=held)

    holders = [threading.Thread(target=hold, daemon=True) for _ in range(2)]
    for holder in holders:
        holder.start()
    wait_until(lambda: not sandbox._free._value, what="both are taken")
    with pytest.raises(Transient, match="try again") as refused:
        sandbox.answer(b"", seconds=0.1, cut=Cut())
    assert not isinstance(refused.value, TransportError)
    cancelled = Cut()
    cancelled.cut("cancelled")
    with pytest.raises(TransportError, match="cancelled"):
        sandbox.answer(b"", seconds=LONG, cut=cancelled)
    held.cut()
    for holder in holders:
        holder.join(LONG)
    assert not any(holder.is_alive() for holder in holders)


@pytest.mark.parametrize(
    "reaching",
    [
        "import socket; socket.create_connection(('127.0.0.1', 9), 1)",
        "import socket; socket.getaddrinfo('localhost', 80)",
        "import subprocess; subprocess.run(['true'])",
        "import os; os.system('true')",
        "import os; os.fork()",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/')",
    ],
)
def test_nothing_within_the_fence_reaches_the_network_or_starts_a_process(reaching: str) -> None:
    fenced = "from shared.gateway.fence import fence; fence(cpu_seconds=9, file_bytes=99, memory_bytes=None)"
    done = subprocess.run([sys.executable, "-c", f"{fenced}\n{reaching}"], capture_output=True, text=True, timeout=30)
    assert done.returncode != 0 and "a worker may not" in done.stderr


@pytest.mark.parametrize("worker", ["shared.gateway.web.worker", "shared.documents.worker"])
def test_each_worker_stands_within_the_fence_before_it_reads(worker: str) -> None:
    """What it first does within its fence is to ask for the network."""
    code = (
        f"import sys, socket; from {worker} import *; import {worker} as worker\n"
        "worker._html = lambda *_: socket.getaddrinfo('localhost', 80)\n"
        "worker.JOBS = {'read': worker._html}; worker.UNBOUNDED = ()\n"
        "worker.main()"
    )
    given = '{"job": "read", "seconds": 9}'
    command = [sys.executable, "-c", code, "html", "9"]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=30)
    assert "a worker may not: socket.getaddrinfo" in done.stderr
