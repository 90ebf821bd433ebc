"""The command as a person runs it: processes, signals, ports, a real subscriber."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.command import ROOT, SECONDS, memex, started, up
from tests.support.waiting import wait_until


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The data directory of a running Memex."""
    directory = tmp_path_factory.mktemp("memex")
    with up("--data", str(directory), "--run-seconds", "0.5"):
        yield directory


def test_the_line_is_printed_when_everything_is_ready_and_the_address_is_left(tmp_path: Path) -> None:
    with up("--data", str(tmp_path), "--no-functions") as (process, line):
        assert set(line) == {"http", "grpc", "token"}
        left = tmp_path / "address.json"
        assert json.loads(left.read_text()) == line and left.stat().st_mode & 0o077 == 0
        assert memex("bill", "--data", str(tmp_path)).returncode == 0
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 0
        assert not left.exists()


def test_sigterm_stops_it_cleanly() -> None:
    with up("--ephemeral", "--no-functions") as (process, _line):
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == 0


def test_a_port_in_use_is_said_in_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = memex("up", "--ephemeral", "--http-port", port, "--grpc-port", "0", "--no-functions")
    assert done.returncode == 1 and port in done.stderr and "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_data_directory_in_use_is_said_and_its_address_stays(data: Path) -> None:
    done = memex("up", "--data", str(data), "--http-port", "0", "--grpc-port", "0")
    assert done.returncode == 1 and str(data) in done.stderr and "Traceback" not in done.stderr
    assert (data / "address.json").exists()


@pytest.mark.slow
def test_a_note_becomes_a_report_from_the_command_line(data: Path) -> None:
    here = ("--data", str(data))
    assert memex("note", "add", "--title", "Kettles", *here, text="A kettle of copper boils in four minutes.").stdout
    asked = memex("note", "add", "How long does a kettle of copper take?", *here).stdout.strip()
    assert memex("note", "tag", asked, "research", *here).returncode == 0
    operations = json.loads(_until_there("ops", "list", "--json", *here))["operations"]
    watched = memex("ops", "watch", operations[0]["id"], *here)
    assert watched.returncode == 0, watched.stderr
    again = memex("ops", "watch", operations[0]["id"], "--json", *here)
    events = [json.loads(line) for line in again.stdout.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1)) and events[-1]["type"] == "completed"
    report = json.loads(memex("note", "list", "--kind", "research", "--json", *here).stdout)["notes"][0]
    shown = memex("note", "show", report["id"], *here).stdout
    assert "four minutes" in shown and "[1] Kettles" in shown
    assert "nothing to cancel" in memex("ops", "cancel", operations[0]["id"], *here).stdout


def _until_there(*arguments: str) -> str:
    """The output of a command that lists operations, once there is one."""
    for _ in range(20):
        done = memex(*arguments)
        if json.loads(done.stdout)["operations"]:
            return done.stdout
    raise AssertionError("no operation appeared")


def test_tail_prints_events_as_they_come_and_leaves_no_subscription(data: Path) -> None:
    here = ("--data", str(data))
    tail = started("tail", "--json", "--workspace", "demo", "--type", "note_changed", *here)
    try:
        assert tail.stderr is not None and "Listening" in tail.stderr.readline()
        made = memex("note", "add", "something to change", *here).stdout.strip()
        assert memex("note", "tag", made, "changed", *here).returncode == 0
        assert tail.stdout is not None
        event = json.loads(tail.stdout.readline())
        assert (event["type"], event["stream"], event["workspace"]) == ("note_changed", f"notes/{made}", "demo")
        tail.send_signal(signal.SIGINT)
        assert tail.wait(SECONDS) == 0
    finally:
        tail.kill()
        tail.communicate(timeout=SECONDS)
    topics = json.dumps(_topics(data))
    assert "tail-" not in topics


def _topics(data: Path) -> object:
    address = json.loads((data / "address.json").read_text())["http"]
    return httpx.get(f"{address}/_cloud/topics", trust_env=False, timeout=SECONDS).json()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="another process's limits are Linux's")
def test_a_disk_that_takes_no_more_is_said_and_shown_in_health(tmp_path: Path) -> None:
    with up("--data", str(tmp_path)) as (process, line):
        largest = (tmp_path / "firestore.sqlite-wal").stat().st_size
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))
        refused = memex("note", "add", "--data", str(tmp_path), text="x" * 1_000_000)
        assert refused.returncode == 1 and "of space" in refused.stderr
        health = httpx.get(f"{line['http']}/_cloud/health", trust_env=False, timeout=SECONDS).json()
        assert health["status"] == "degraded" and "firestore.sqlite" in health["storage"]
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert memex("note", "add", "--data", str(tmp_path), text="x" * 1_000_000).returncode == 0
        process.terminate()
        assert process.stderr is not None and "firestore.sqlite cannot be written" in process.stderr.read()


def test_a_setting_that_is_no_pair_is_wrong_usage() -> None:
    assert memex("up", "--ephemeral", "--set", "nonsense").returncode == 2


@pytest.mark.slow
def test_a_wrong_setting_ends_the_start_with_its_name_and_no_ready_line() -> None:
    done = memex("up", "--ephemeral", "--http-port", "0", "--grpc-port", "0", "--set", "RESEARCH_BACKEND=nope")
    assert (done.returncode, done.stdout) == (1, "")
    assert "RESEARCH_BACKEND is 'nope'" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.slow
def test_sigterm_during_the_start_ends_it_without_a_ready_line(tmp_path: Path) -> None:
    process = started("up", "--data", str(tmp_path), "--http-port", "0", "--grpc-port", "0")
    try:
        wait_until((tmp_path / "functions.log").exists, SECONDS, "the start of the functions")
        process.send_signal(signal.SIGTERM)
        printed, errors = process.communicate(timeout=SECONDS)
        assert (process.returncode, printed, errors) == (0, "", "")
        assert not (tmp_path / "address.json").exists()
    finally:
        process.kill()


def test_the_demonstration_shows_a_report_a_chat_turn_and_the_bill() -> None:
    done = memex("demo", "--json")
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert shown["notes"] == 20 and shown["operation"]["status"] == "completed"
    assert len(shown["report"]["citations"]) >= 4 and "emulated" in shown["report"]["body"]
    assert {"aiplatform", "firestore", "functions", "pubsub", "workflows"} <= set(shown["bill"]["services"])
    assert [event["seq"] for event in shown["events"]] == list(range(1, len(shown["events"]) + 1))
    assert f"#/notes/{shown['report']['id']}" in shown["chat"]["turn"]["answer"], "the chat finds the report"
    (task,) = shown["chat"]["tasks"]
    assert "empty nights" in task["title"]


@pytest.mark.slow
def test_the_demonstration_that_takes_too_long_ends_with_a_sentence() -> None:
    done = memex("demo", "--timeout", "1")
    assert done.returncode == 1 and "did not end within 1 s" in done.stderr


def test_the_python_that_fits_is_found(tmp_path: Path) -> None:
    script = ["sh", str(ROOT / "infra" / "setup" / "python.sh")]
    old = "#!/bin/sh\nexit 1\n"
    for name, text in {"python3": old, "python3.12": f'#!/bin/sh\nexec {sys.executable} "$@"\n'}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path}:/bin:/usr/bin"}
    done = subprocess.run(script, env=env, capture_output=True, text=True, timeout=SECONDS)
    assert done.stdout == "python3.12\n"
    refused = subprocess.run([*script, str(tmp_path / "python3")], capture_output=True, text=True, timeout=SECONDS)
    assert refused.returncode == 1 and "3.11 to 3.13" in refused.stderr
