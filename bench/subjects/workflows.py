"""Workflow steps a second, and how soon an execution goes on after SIGKILL. Google has no emulator to compare with."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import grpc
from google.cloud.workflows import executions_v1
from google.cloud.workflows.executions_v1.services.executions.transports import ExecutionsGrpcTransport

from bench import servers
from bench.lab import PROJECT, Lab
from bench.row import Row, own_row
from bench.servers import Server
from bench.timing import timed

PARENT = f"projects/{PROJECT}/locations/us-central1/workflows"
TURNS, STEPS_A_TURN = 1000, 2
PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 0.005


def run(lab: Lab) -> Iterator[Row]:
    with grpc.insecure_channel(lab.local.address) as channel:
        client = _client(channel)
        seconds = [timed(lambda: _count(client)) for _ in range(lab.rounds(5) + 1)][1:]
    rates = [TURNS * STEPS_A_TURN / each for each in seconds]
    yield own_row("workflows", f"steps, {TURNS * STEPS_A_TURN} in a row", "/s", rates)
    resumed = [_killed_and_resumed(lab.folder / f"killed-{number}") for number in range(lab.rounds(3))]
    yield own_row("workflows", "SIGKILL, start again, until the next call", "ms", [each * 1000 for each in resumed])


def _client(channel: grpc.Channel) -> executions_v1.ExecutionsClient:
    return executions_v1.ExecutionsClient(transport=ExecutionsGrpcTransport(channel=channel))


def _start(client: executions_v1.ExecutionsClient, workflow: str, argument: dict[str, Any]) -> str:
    execution = executions_v1.Execution(argument=json.dumps(argument))
    return str(client.create_execution(parent=f"{PARENT}/{workflow}", execution=execution).name)


def _count(client: executions_v1.ExecutionsClient) -> None:
    name = _start(client, "steps", {"count": TURNS})
    deadline = time.monotonic() + PATIENCE_SECONDS
    active = executions_v1.Execution.State.ACTIVE
    while client.get_execution(name=name).state == active:
        if time.monotonic() > deadline:
            raise TimeoutError("the execution does not end")
        time.sleep(LOOK_SECONDS)


def _killed_and_resumed(data: Path) -> float:
    """Seconds from the start of the second process to the first call that the execution makes in it."""
    with _called() as (url, calls):
        first = servers.local_cloud(data=data)
        try:
            _call_until_killed(first, url, calls)
        finally:
            first.stop()
        while not calls.empty():
            calls.get()
        start = time.perf_counter()
        second = servers.local_cloud(data=data)
        try:
            return calls.get(timeout=PATIENCE_SECONDS) - start
        finally:
            second.stop()


def _call_until_killed(server: Server, url: str, calls: queue.SimpleQueue[float]) -> None:
    with grpc.insecure_channel(server.address) as channel:
        _start(_client(channel), "calls", {"url": url})
        for _ in range(5):
            calls.get(timeout=PATIENCE_SECONDS)
    server.kill()


@contextmanager
def _called() -> Iterator[tuple[str, queue.SimpleQueue[float]]]:
    """An HTTP server that notes when it is called; its address, and the moments."""
    calls: queue.SimpleQueue[float] = queue.SimpleQueue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # noqa: N802 - the name http.server gives it
            calls.put(time.perf_counter())
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", calls
    finally:
        server.shutdown()
        server.server_close()
