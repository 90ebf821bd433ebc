"""A worker in a process of its own, which may be told to kill itself at a point; its clock is the test's.

`python -m tests.unit.brain.queue.killed FOLDER WORKSPACE FENCE EXECUTION ADDRESS [POINT@FILE]`
"""

from __future__ import annotations

import os
import sys
import time
from datetime import datetime
from pathlib import Path

from shared import faultkill
from shared.brain.agent import Desk, Outcome
from shared.contracts.brain_drain import DrainRequest
from shared.errors import Transient
from shared.store.writes import add
from tests.unit.brain.queue.world import Given, QueueWorld, SharedClock, scripted


class FileClock(SharedClock):
    """The time that the test has written down last; sleeping takes real time, a little of it."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._file = folder / "clock"

    def now(self) -> datetime:
        return datetime.fromisoformat(self._file.read_text())

    def sleep(self, seconds: float) -> None:
        time.sleep(min(seconds, 0.05))


def tell(folder: Path, now: datetime) -> None:
    """Let workers know the time."""
    written = folder / "clock.new"
    written.write_text(now.isoformat())
    written.rename(folder / "clock")


def _done(desk: Desk, **more: object) -> Outcome:
    time.sleep(0.01)
    return Outcome({}, writes=(add("topics/sum", {"done": {desk.job.id: 1}}),), **more)  # type: ignore[arg-type]


def _begin(_given: Given, desk: Desk) -> Outcome:
    return _done(desk, batch={"left": {}, "right": {}, "last": {}})


def _weak(_given: Given, desk: Desk) -> Outcome:
    if not desk.job.attempts:
        raise Transient("the first time it fails")
    return _done(desk)


def _plain(_given: Given, desk: Desk) -> Outcome:
    return _done(desk)


AGENTS = (
    scripted("begin", _begin, timeout_ms=30_000, max_attempts=5),
    scripted("left", _plain, timeout_ms=30_000, max_attempts=5, depends_on=("begin",)),
    scripted("right", _plain, timeout_ms=30_000, max_attempts=5, depends_on=("begin",)),
    scripted("last", _plain, timeout_ms=30_000, max_attempts=5, depends_on=("left", "right")),
    scripted("weak", _weak, timeout_ms=30_000, max_attempts=5),
)


def main(folder: Path, workspace: str, fence: str, execution: str, address: str, kill: str) -> None:
    """Work in one lane until the test says that it is over."""
    from google.cloud.firestore_v1 import Client

    if kill:
        faultkill.install(kill)
    os.environ["FIRESTORE_EMULATOR_HOST"] = address
    here = QueueWorld(Client(project="memex-local"), FileClock(folder), *AGENTS)
    request = DrainRequest(workspace=workspace, fence=int(fence), execution=execution)
    while not (folder / "over").exists():
        here.brain.run(request)
        time.sleep(0.02)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:7])
