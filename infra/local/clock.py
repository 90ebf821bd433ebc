"""One clock for every sleep, lease, retry and expiry of the local cloud.

All delayed or background work goes through a :class:`Clock`. The real one waits; the virtual
one jumps to the next thing due as soon as nothing is running, so hours pass in milliseconds.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from typing import Protocol

log = logging.getLogger(__name__)

Task = Callable[[], None]


class Timer:
    """A task that is due later; `cancel` is idempotent and a no-op once it has started."""

    __slots__ = ("due", "order", "task", "name", "cancelled")

    def __init__(self, due: datetime, order: int, task: Task, name: str) -> None:
        self.due, self.order, self.task, self.name = due, order, task, name
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True

    def __lt__(self, other: Timer) -> bool:
        return (self.due, self.order) < (other.due, other.order)


def _push(timers: list[Timer], timer: Timer) -> None:
    """Add to a heap; every so often drop the cancelled ones, which would stay until they are due, be it days."""
    if timer.order % 1024 == 1023:
        timers[:] = [kept for kept in timers if not kept.cancelled]
        heapq.heapify(timers)
    heapq.heappush(timers, timer)


class Clock(Protocol):
    """What every part of the local cloud may know of time and of threads."""

    def now(self) -> datetime:
        """The current time, aware, in UTC, microseconds."""

    def sleep(self, seconds: float) -> None:
        """Block the caller for that long."""

    def call_later(self, seconds: float, task: Task, name: str) -> Timer:
        """Run `task` on a worker thread once `seconds` have passed."""

    def spawn(self, task: Task, name: str) -> None:
        """Run `task` on a worker thread as soon as possible."""

    def close(self) -> None:
        """Drop what is not yet due; who sleeps on a virtual clock is woken by ClockClosed. Idempotent."""


class ClockClosed(Exception):
    """The clock was closed under a sleeper: its time will never come."""


class _Workers:
    """The thread pool of a clock; counts what is running, so that a virtual clock can tell when all is quiet."""

    def __init__(self, size: int) -> None:
        self._pool = ThreadPoolExecutor(max_workers=size, thread_name_prefix="cloud")
        self._running = 0
        self.changed = threading.Condition()

    def submit(self, task: Task, name: str) -> None:
        self.hold()
        try:
            self._pool.submit(self._run, task, name)
        except RuntimeError:  # the pool is closed: what was due is dropped with the process
            self.release()

    def _run(self, task: Task, name: str) -> None:
        try:
            task()
        except ClockClosed:
            log.debug("background task %s was asleep when the clock closed", name)
        except Exception:  # outermost edge of a background task: logged, never lost in silence
            log.exception("background task %s failed", name)
        finally:
            self.release()

    def hold(self) -> None:
        with self.changed:
            self._running += 1

    def release(self) -> None:
        with self.changed:
            self._running -= 1
            self.changed.notify_all()

    @property
    def running(self) -> int:
        return self._running

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


class RealClock:
    """Wall-clock time."""

    def __init__(self, workers: int = 64) -> None:
        self._workers = _Workers(workers)
        self._timers: list[Timer] = []
        self._order = itertools.count()
        self._wake = threading.Condition()
        self._closed = False
        threading.Thread(target=self._watch, name="clock", daemon=True).start()

    def now(self) -> datetime:
        return datetime.now(timezone.utc)

    def sleep(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds))

    def call_later(self, seconds: float, task: Task, name: str) -> Timer:
        timer = Timer(self.now() + timedelta(seconds=max(0.0, seconds)), next(self._order), task, name)
        with self._wake:
            _push(self._timers, timer)
            self._wake.notify()
        return timer

    def spawn(self, task: Task, name: str) -> None:
        self._workers.submit(task, name)

    def close(self) -> None:
        with self._wake:
            self._closed = True
            self._timers.clear()
            self._wake.notify()
        self._workers.close()

    def _watch(self) -> None:
        with self._wake:
            while not self._closed:
                if not self._timers:
                    self._wake.wait()
                    continue
                wait = (self._timers[0].due - self.now()).total_seconds()
                if wait > 0:
                    self._wake.wait(wait)
                    continue
                timer = heapq.heappop(self._timers)
                if not timer.cancelled:
                    self._workers.submit(timer.task, timer.name)


class VirtualClock:
    """Time that stands still until `run_until` moves it to the next thing due."""

    def __init__(self, start: datetime | None = None, workers: int = 64) -> None:
        self._now = start or datetime(2026, 1, 1, tzinfo=timezone.utc)
        self._workers = _Workers(workers)
        self._timers: list[Timer] = []
        self._order = itertools.count()
        self._lock = threading.Lock()
        self._sleepers: set[threading.Event] = set()
        self._closed = False

    def now(self) -> datetime:
        """The virtual time; each reading is a microsecond later, so that no two moments are equal."""
        with self._lock:
            self._now += timedelta(microseconds=1)
            return self._now

    def sleep(self, seconds: float) -> None:
        """Raises ClockClosed when the clock is closed meanwhile."""
        woken = threading.Event()

        def wake() -> None:
            self._workers.hold()  # before the timer's own task ends: there is no quiet moment in between
            woken.set()

        with self._lock:
            self._sleepers.add(woken)
        self.call_later(seconds, wake, "sleep")
        self._workers.release()  # a sleeper is not running
        if not self._closed:
            woken.wait()
        with self._lock:
            self._sleepers.discard(woken)
        if self._closed:
            raise ClockClosed

    def call_later(self, seconds: float, task: Task, name: str) -> Timer:
        with self._lock:
            timer = Timer(self._now + timedelta(seconds=max(0.0, seconds)), next(self._order), task, name)
            _push(self._timers, timer)
        return timer

    def spawn(self, task: Task, name: str) -> None:
        self._workers.submit(task, name)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._timers.clear()
            sleepers = list(self._sleepers)
        for woken in sleepers:
            woken.set()
        self._workers.close()

    def hold(self) -> None:
        """Say that work outside the clock's own threads is running; time stands still until `release`."""
        self._workers.hold()

    def release(self) -> None:
        self._workers.release()

    def counted(self, task: Task) -> Task:
        """The task for a thread of another's: time stands still for it as for the clock's own, from now on."""
        self.hold()

        def run() -> None:
            try:
                task()
            except ClockClosed:
                log.debug("a task was asleep when the clock closed")
            finally:
                self.release()

        return run

    def run_until(self, done: Callable[[], bool], *, limit: timedelta, real_seconds: float = 60.0) -> bool:
        """Move from one due thing to the next until `done()`, or `limit` of virtual time has passed.

        Returns whether `done()` came true. Raises TimeoutError when work that fell due is still running after
        `real_seconds` of wall-clock time: something hangs.
        """
        end = self._now + limit
        while True:
            self._wait_until_quiet(time.monotonic() + real_seconds)
            if self._begin_next():
                continue
            if done():
                return True
            if not self._fire_next(end):
                return False

    def _begin_next(self) -> bool:
        """Begin a task that was held back; here none ever is."""
        return False

    def _wait_until_quiet(self, deadline: float) -> None:
        with self._workers.changed:
            while self._workers.running > 0:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError(f"{self._workers.running} background tasks are still running")
                self._workers.changed.wait(left)

    def _fire_next(self, end: datetime) -> bool:
        with self._lock:
            while self._timers and self._timers[0].cancelled:
                heapq.heappop(self._timers)
            if not self._timers or self._timers[0].due > end:
                return False
            timer = heapq.heappop(self._timers)
            self._now = max(self._now, timer.due)
        self._workers.submit(timer.task, timer.name)
        return True


class SerialClock(VirtualClock):
    """A virtual clock on which one task at a time runs: what was spawned waits until all is quiet, in its order.

    So the same deeds come in the same order each time, and whoever counts them counts the same.
    """

    def __init__(self, start: datetime | None = None, workers: int = 64) -> None:
        super().__init__(start, workers)
        self._held_back: deque[tuple[Task, str]] = deque()

    def spawn(self, task: Task, name: str) -> None:
        self._held_back.append((task, name))

    def _begin_next(self) -> bool:
        if not self._held_back:
            return False
        self._workers.submit(*self._held_back.popleft())
        return True
