"""From the beginning of a commit to the first line of the function that a Firestore trigger calls for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from bench import servers
from bench.lab import Lab
from bench.row import Row, own_row

PATIENCE_SECONDS, LOOK_SECONDS = 20.0, 0.0005


def run(lab: Lab) -> Iterator[Row]:
    calls = lab.folder / "calls"
    calls.touch()
    server = lab.running(lambda: servers.local_cloud(functions=True, env={"BENCH_CALLS": str(calls)}))
    client = lab.firestore_client(server.address)
    latencies = []
    for number in range(lab.rounds(60) + 5):
        start = time.monotonic_ns()
        client.collection("triggering").document(f"d{number}").set({"number": number})
        latencies.append((_called_at(calls, f"triggering/d{number}") - start) / 1e6)
    server.stop()
    yield own_row("triggers", "commit until the function is called", "ms", latencies[5:])


def _called_at(calls: Path, path: str) -> int:
    """The monotonic nanoseconds at which the function was called for the document."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        for line in calls.read_text(encoding="utf-8").splitlines(keepends=True):
            if line.endswith("\n") and line.split()[0].endswith(path):
                return int(line.split()[1])
        time.sleep(LOOK_SECONDS)
    raise TimeoutError(f"nothing was called for {path}")
