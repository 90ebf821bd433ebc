"""Google's emulators as processes: found, started, waited for, and stopped with everything they started."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

START_SECONDS = 60
STOP_SECONDS = 10


@dataclass(frozen=True)
class Emulator:
    """One of gcloud's emulators: its name, the component's folder in the SDK, and the command."""

    name: str
    component: str
    command: tuple[str, ...]


FIRESTORE = Emulator("Firestore", "cloud-firestore-emulator", ("emulators", "firestore", "start"))
PUBSUB = Emulator("Pub/Sub", "pubsub-emulator", ("beta", "emulators", "pubsub", "start"))


def missing(emulator: Emulator) -> str | None:
    """What is lacking to run it, None when nothing is."""
    gcloud = shutil.which("gcloud")
    if gcloud is None:
        return "gcloud is not installed"
    if shutil.which("java") is None:
        return "java is not installed"
    for root in (Path(gcloud).resolve().parents[1], Path("/usr/lib/google-cloud-sdk")):
        if (root / "platform" / emulator.component).is_dir():
            return None
    return f"gcloud's component {emulator.component} is not installed"


@contextmanager
def running(emulator: Emulator, folder: Path) -> Iterator[str]:
    """The address of a new one that answers; it and its children are stopped in the end, whatever happens."""
    folder.mkdir(parents=True, exist_ok=True)
    address = f"127.0.0.1:{_free_port()}"
    extra = [f"--data-dir={folder}"] if emulator is PUBSUB else []
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            ["gcloud", *emulator.command, f"--host-port={address}", *extra],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "CLOUDSDK_CORE_DISABLE_PROMPTS": "1", "CLOUDSDK_CORE_DISABLE_USAGE_REPORTING": "1"},
        )
    try:
        _await_ready(emulator, process, address, folder / "log")
        yield address
    finally:
        _stop(process)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _await_ready(emulator: Emulator, process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with grpc.insecure_channel(address) as channel:
            try:
                grpc.channel_ready_future(channel).result(1)
            except grpc.FutureTimeoutError:
                continue
            return
    raise RuntimeError(f"The {emulator.name} emulator did not start:\n{log.read_text(errors='replace')[-2000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the whole process group: gcloud does not pass every signal on to Java."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        deadline = time.monotonic() + STOP_SECONDS
        while _signal_group(process.pid, number) and time.monotonic() < deadline:
            process.poll()
            time.sleep(0.1)
    process.wait(STOP_SECONDS)


def _signal_group(group: int, number: signal.Signals) -> bool:
    """Whether there was still someone in the group to signal."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    return True
