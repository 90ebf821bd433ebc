"""The servers under test, each in a process group of its own that is ended by its id, and by nothing broader."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

START_SECONDS, STOP_SECONDS = 90.0, 15.0
ROOT = Path(__file__).resolve().parents[1]
TRACKS: dict[str, list[str]] = {"firestore": [], "pubsub": ["beta"]}


@dataclass
class Server:
    """A running server: `address` is host:port of its gRPC service, `ready_seconds` from the start of its process."""

    process: subprocess.Popen[bytes]
    address: str
    ready_seconds: float
    facts: Mapping[str, Any]
    scripted: bool = False
    """Started by a script that does not hand signals on: the whole group must get them."""

    def rss_mb(self) -> float:
        """Resident memory, in MB, of the largest process of the group: the server, not the scripts that start it."""
        listed = subprocess.run(["ps", "-A", "-o", "pgid=,rss="], capture_output=True, text=True, check=True).stdout
        rows = (line.split() for line in listed.splitlines())
        return max(int(rss) for group, rss in rows if int(group) == self.process.pid) / 1024

    def kill(self) -> None:
        """SIGKILL to the whole group, now."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(STOP_SECONDS)

    def stop(self) -> None:
        """End it as a person would, after a while by force. Idempotent."""
        if self.process.poll() is not None:
            return
        if self.scripted:
            os.killpg(self.process.pid, signal.SIGTERM)
        else:
            self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()


def local_cloud(functions: bool = False, data: Path | None = None, env: Mapping[str, str] | None = None) -> Server:
    """The local cloud on the benchmark's own project (bench/project)."""
    command = [sys.executable, "-m", "bench.serve", "--functions", "process" if functions else "none"]
    command += ["--data", str(data)] if data is not None else []
    return _announced(command, env or {})


def memex_up(*arguments: str) -> Server:
    """Memex itself, as `memex up` runs it, keeping nothing."""
    memex = str(Path(sys.executable).with_name("memex"))
    return _announced([memex, "up", "--ephemeral", "--json", "--http-port", "0", "--grpc-port", "0", *arguments], {})


def canned(address: str) -> Server:
    """A server of RunQuery alone that answers from memory what the one at `address` answered before."""
    return _announced([sys.executable, "-m", "bench.canned", address], {})


def emulator(name: str) -> Server:
    """Google's emulator, "firestore" or "pubsub". Raises RuntimeError when it does not start."""
    address = f"127.0.0.1:{_free_port()}"
    extra = [] if name == "firestore" else ["--project=memex-bench"]
    command = ["gcloud", *TRACKS[name], "emulators", name, "start", f"--host-port={address}", "--quiet", *extra]
    start = time.perf_counter()
    process = _spawn(command, {}, subprocess.DEVNULL, subprocess.DEVNULL)
    server = Server(process, address, 0.0, {}, scripted=True)
    try:
        _wait_for_port(process, address)
    except BaseException:
        server.stop()
        raise
    server.ready_seconds = time.perf_counter() - start
    return server


def emulators() -> dict[str, str]:
    """The emulators that are installed, and their versions."""
    if shutil.which("gcloud") is None or shutil.which("java") is None:
        return {}
    listed = subprocess.run(["gcloud", "version", "--format=json"], capture_output=True, text=True, check=False)
    versions: dict[str, str] = json.loads(listed.stdout or "{}")
    parts = {"firestore": "cloud-firestore-emulator", "pubsub": "pubsub-emulator"}
    return {name: versions[part] for name, part in parts.items() if part in versions}


def _spawn(command: Sequence[str], env: Mapping[str, str], out: int, err: int | None) -> subprocess.Popen[bytes]:
    environment = {**os.environ, **env}
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=quiet, stdout=out, stderr=err, start_new_session=True
    )


def _announced(command: Sequence[str], env: Mapping[str, str]) -> Server:
    """A server that prints one line of JSON with its addresses when it is ready."""
    start = time.perf_counter()
    process = _spawn(command, env, subprocess.PIPE, None)
    if process.stdout is None:
        raise RuntimeError("no pipe")
    line = process.stdout.readline()
    seconds = time.perf_counter() - start
    if not line:
        process.wait(STOP_SECONDS)
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode} before it was ready")
    facts = json.loads(line)
    return Server(process, facts["grpc"], seconds, facts)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def _wait_for_port(process: subprocess.Popen[bytes], address: str) -> None:
    host, _, port = address.partition(":")
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection((host, int(port)), timeout=1).close()
            return
        except OSError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the emulator at {address} does not start") from error
            time.sleep(0.01)
