"""The whole product on the local cloud, in this process, one thing at a time and on a clock that jumps."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, TypeVar

import httpx

from infra.cost.recorder import Recorder
from infra.local.clock import SerialClock
from infra.local.cloud import CloudConfig, LocalCloud
from infra.local.firestore import wire
from infra.local.firestore.sizes import document_size
from infra.local.seams import Seams
from shared import bootstrap, config
from shared.clock import in_thread

ROOT = Path(__file__).resolve().parents[2]
TUESDAY = datetime(2026, 12, 1, 9, 2, tzinfo=timezone.utc)
FIRST_SECONDS, PIECE_SECONDS = 0.8, 0.04
"""How long a model takes to begin, and for each piece of some five tokens: 120 tokens a second."""
REAL_SECONDS = 120.0
SETTLED, COLD = timedelta(minutes=5), timedelta(minutes=20)

T = TypeVar("T")


class _Cloud(LocalCloud):
    """The local cloud with a recorder for a meter."""

    def __init__(self, config: CloudConfig, recorder: Recorder) -> None:
        super().__init__(config)
        self._recorder = recorder

    def _open_seams(self) -> Seams:
        return replace(super()._open_seams(), meter=self._recorder)


class World:
    """A context manager. What a person does goes through `request`; time passes in `pass_time` and `until`."""

    def __init__(self, data_dir: Path, start: datetime = TUESDAY, **env: str) -> None:
        self.clock = SerialClock(start)
        self.recorder = Recorder(self.clock.now, time.perf_counter)
        self._data_dir = data_dir
        settings = CloudConfig(
            root=ROOT, data_dir=data_dir, functions="inline", clock=self.clock, env=env, pace_seconds=PIECE_SECONDS
        )
        self.cloud = _Cloud(settings, self.recorder)

    def __enter__(self) -> World:
        address = self.cloud.start()
        self.platform.pace.first_seconds = FIRST_SECONDS
        bootstrap.use(bootstrap.App(config.load(), clock=self.clock, randomness=random.Random(7), spawn=self._spawn))
        self.http = httpx.Client(
            base_url=address.http,
            headers={"Authorization": f"Bearer {address.token}"},
            trust_env=False,
            timeout=REAL_SECONDS,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()
        bootstrap.use(None)
        self.cloud.close()
        self.clock.close()

    @property
    def platform(self) -> Any:
        """The models and the research agent, which scenarios script."""
        return self.cloud.services.aiplatform

    def request(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        """An answer of the API, read to its end. Raises httpx.HTTPStatusError for one that refuses."""
        answer = self.act(lambda: self.http.request(method, path, **arguments)).raise_for_status()
        self.recorder.add("network", "answer_bytes", len(answer.content))
        return answer

    def write_note(self, title: str, body: str, *tags: str) -> str:
        """A note through the API; its id."""
        given = {"title": title, "body": body, "tags": list(tags)}
        return str(self.request("POST", "/api/v1/notes", json=given).json()["note"]["id"])

    def act(self, call: Callable[[], T], limit: timedelta = timedelta(hours=4)) -> T:
        """What `call` returns; the clock moves while it waits. Raises TimeoutError."""
        answer: Future[T] = Future()

        def run() -> None:
            try:
                answer.set_result(call())
            except Exception as error:  # noqa: BLE001 - handed to whoever waits
                answer.set_exception(error)

        threading.Thread(target=self.clock.counted(run), daemon=True).start()
        self.until(answer.done, limit)
        return answer.result(0)

    def until(self, done: Callable[[], bool], limit: timedelta = timedelta(hours=4)) -> None:
        """Let time pass until `done()`, which must not wait for the clock. Raises TimeoutError."""
        if not self.clock.run_until(done, limit=limit, real_seconds=REAL_SECONDS):
            raise TimeoutError(f"it did not come true within {limit}")

    def pass_time(self, passed: timedelta) -> None:
        """Let so much time pass, with all that falls due in it."""
        end = self.clock.now() + passed
        self.clock.call_later(passed.total_seconds(), lambda: None, "end of the wait")
        self.clock.run_until(lambda: self.clock.now() >= end, limit=passed, real_seconds=REAL_SECONDS)

    def settle(self) -> None:
        """Let everything that is under way end, and whatever follows it."""
        self.pass_time(SETTLED)

    def stored_bytes(self) -> int:
        """What all documents count for, by production's way of counting, without indexes."""
        with closing(sqlite3.connect(f"file:{self._data_dir / 'firestore.sqlite'}?mode=ro", uri=True)) as connection:
            bodies = connection.execute("SELECT body FROM documents WHERE body IS NOT NULL").fetchall()
        return sum(document_size(wire.parse_document(body)) for (body,) in bodies)

    def object_bytes(self) -> int:
        """What lies in object storage."""
        return sum(path.stat().st_size for path in (self._data_dir / "objects").rglob("*") if path.is_file())

    def _spawn(self, task: Callable[[], None], name: str) -> None:
        """A thread of the product. Who watches sleeps on the clock beside the others, so it is waited for by name."""
        in_thread(self.clock.counted(task) if name.startswith("watch ") else task, name)
