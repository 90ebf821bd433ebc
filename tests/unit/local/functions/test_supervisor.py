"""The host in a process of its own: replaced when it dies, ended with its parent."""

from __future__ import annotations

import http.client
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.local.environment import process_environment
from infra.local.functions.sockets import UnixConnection
from infra.local.functions.supervisor import HostProcess, HostSettings
from tests.support.waiting import wait_until

CODE = Path(__file__).parents[4]
ROOT = CODE / "tests" / "support" / "functions_root"


def settings(tmp_path: Path, root: Path = ROOT) -> HostSettings:
    env = process_environment({**os.environ, "HTTPS_PROXY": "http://10.0.0.1:1"}, {"PROBE_SETTING": "seen"})
    return HostSettings(root, env, tmp_path / "functions.log")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[HostProcess]:
    host = HostProcess(settings(tmp_path))
    host.start()
    yield host
    host.close()


def get(host: HostProcess, path: str) -> tuple[int, bytes]:
    connection = UnixConnection(host.socket_path, 20.0)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] != "Z" if Path("/proc").exists() else True


def test_it_serves_functions_with_the_settings_given_and_no_proxy(host: HostProcess) -> None:
    assert host.wait_ready(20)
    status, body = get(host, "/probe/echo")
    assert status == 200
    assert b'"setting":"seen"' in body and b'"proxies":[]' in body


def test_its_socket_is_reached_by_its_owner_only(host: HostProcess) -> None:
    assert stat.S_IMODE(host.socket_path.parent.stat().st_mode) == 0o700


def test_a_handler_that_raises_is_500_and_logged(host: HostProcess, tmp_path: Path) -> None:
    assert get(host, "/probe/crash")[0] == 500
    assert "a handler that fails" in (tmp_path / "functions.log").read_text()


def test_a_killed_host_is_replaced_and_a_request_made_meanwhile_is_answered(host: HostProcess) -> None:
    assert host.wait_ready(20)
    before = host.pid
    assert before is not None
    os.kill(before, signal.SIGKILL)
    assert get(host, "/probe/echo")[0] == 200
    assert host.pid not in (None, before)
    assert host.restarts == 1


def test_a_request_under_way_when_the_host_dies_ends_at_once(host: HostProcess) -> None:
    with pytest.raises((ConnectionError, http.client.RemoteDisconnected)):
        get(host, "/probe/die")


def test_close_ends_the_process_and_starts_no_other(tmp_path: Path) -> None:
    host = HostProcess(settings(tmp_path))
    host.start()
    assert host.wait_ready(20)
    pid = host.pid
    assert pid is not None
    host.close()
    wait_until(lambda: not running(pid), what="the end of the host")
    assert (host.pid, host.restarts) == (None, 0)
    assert not host.socket_path.exists()


def test_a_host_that_cannot_start_is_tried_again_and_reported(tmp_path: Path) -> None:
    (tmp_path / "functions").mkdir()
    (tmp_path / "functions" / "manifest.yaml").write_text("functions: 5\n")
    host = HostProcess(settings(tmp_path, tmp_path))
    host.start()
    try:
        wait_until(lambda: host.failing, what="the second failed start")
        assert not host.wait_ready(0)
        assert "ValidationError" in (tmp_path / "functions.log").read_text()
    finally:
        host.close()


PARENT = """
import os, sys
from pathlib import Path
from infra.local.functions.supervisor import HostProcess, HostSettings
host = HostProcess(HostSettings(Path(sys.argv[1]), dict(os.environ), Path(sys.argv[2])))
host.start()
host.wait_ready(20)
print(host.pid, host.socket_path, flush=True)
sys.stdin.read()
"""


def test_the_host_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PARENT, str(ROOT), str(tmp_path / "functions.log")]
    with subprocess.Popen(command, cwd=CODE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid, socket_path = parent.stdout.readline().split()
        assert running(int(pid))
        parent.kill()
        wait_until(lambda: not running(int(pid)), what="the end of the orphan")
        wait_until(lambda: not Path(socket_path).parent.exists(), what="the end of its socket's folder")
