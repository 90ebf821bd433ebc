"""Who goes on: one thread, a heap of timers, and a seeded choice at every seam.

Each task is a greenlet. It runs until it comes to a seam (`pause`, `sleep`, a `Mailbox`), and then the hub chooses,
by its random numbers, which of those that can go on does. Time moves only when nobody can.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
import random
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import greenlet

from infra.local.clock import Timer
from infra.sim.locks import LockHeld, Locks

START = datetime(2026, 1, 1, tzinfo=timezone.utc)
_TICK = timedelta(microseconds=1)


class Task:
    """One greenlet; `owner` is what can crash under it, None for what never does."""

    __slots__ = ("greenlet", "name", "owner", "dead", "marks", "token", "steps")

    def __init__(self, work: Callable[[], None], name: str, owner: Any, parent: greenlet.greenlet) -> None:
        self.greenlet = greenlet.greenlet(work, parent)
        self.name, self.owner = name, owner
        self.dead = False
        self.marks: dict[str, Any] = {}
        """What watchers remember about the task, such as the fence it works under."""
        self.token = 0
        """Rises with every wait, so that a late wake-up of an earlier wait is none of this one."""
        self.steps = 0


class Broken(Exception):
    """The world is broken: a task failed, or a rule that must always hold did not. The message says which."""


class Hub:
    """The one who switches. `entered` is called with each task just before it goes on."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"hub/{seed}")
        self.locks = Locks()
        self.current: Task | None = None
        self.entered: Callable[[Task], None] = lambda _task: None
        self.at_seam: Callable[[Task], None] = lambda _task: None
        self.failed: Callable[[Task, BaseException], None] = _raise
        self.switches = 0
        self.broken: list[str] = []
        """Rules that were found broken; the world stops at the first."""
        self._main = greenlet.getcurrent()
        self._now = START
        self._ready: list[Task] = []
        self._timers: list[Timer] = []
        self._order = itertools.count()
        self._graveyard: list[Task] = []
        self._alive: dict[Task, None] = {}
        self._digest = hashlib.sha256()
        self.closed = False

    # Time

    def now(self) -> datetime:
        """The virtual time; each reading is a microsecond later, so that no two moments are equal."""
        self._now += _TICK
        return self._now

    @property
    def seconds(self) -> float:
        """Seconds since the beginning of the world."""
        return (self._now - START).total_seconds()

    def at(self, seconds: float, act: Callable[[], None], name: str) -> Timer:
        """Run `act` inside the hub once so many seconds have passed; it must not come to a seam."""
        timer = Timer(self._now + timedelta(seconds=max(0.0, seconds)), next(self._order), act, name)
        heapq.heappush(self._timers, timer)
        return timer

    # Tasks

    def spawn(self, work: Callable[[], None], name: str, owner: Any = None) -> Task:
        """A new task, ready to begin."""
        task = Task(lambda: self._run(task, work), name, owner, self._main)
        self._alive[task] = None
        self._ready.append(task)
        return task

    def _run(self, task: Task, work: Callable[[], None]) -> None:
        try:
            work()
        except greenlet.GreenletExit:
            return
        except Exception as error:  # noqa: BLE001 - the outermost edge of a task: the world decides what it means
            self.failed(task, error)
        finally:
            self._alive.pop(task, None)

    def pause(self) -> None:
        """A seam: others may go on first."""
        task = self._here()
        task.token += 1
        self._ready.append(task)
        self._leave()

    def sleep(self, seconds: float) -> None:
        """A seam that takes time."""
        task = self._here()
        self.at(seconds, self.waker(task), "sleep")
        self._leave()

    def wait(self) -> None:
        """A seam that lasts until somebody calls what `waker` gave for this task."""
        self._here()
        self._leave()

    def waker(self, task: Task | None = None) -> Callable[[], None]:
        """What makes the task's next wait end; calling it again, or too late, is harmless."""
        waiting = task or self._here()
        token = waiting.token

        def wake() -> None:
            if waiting.token == token and not waiting.dead:
                waiting.token += 1
                self._ready.append(waiting)

        return wake

    def bury(self, owner: Any) -> int:
        """Never let a task of `owner` go on again: no `finally` of them runs. How many there were."""
        gone = [task for task in self._alive if task.owner is owner]
        for task in gone:
            task.dead = True
            self._alive.pop(task, None)
        self._graveyard += gone
        self._ready = [task for task in self._ready if not task.dead]
        return len(gone)

    def die(self) -> None:
        """Called by a task that has just been buried: does not return."""
        self.current = None
        self._main.switch()

    def tasks(self) -> list[Task]:
        """Those that have not ended."""
        return list(self._alive)

    def _here(self) -> Task:
        if self.closed:
            raise greenlet.GreenletExit
        if self.current is None:
            raise LockHeld("a seam outside of every task")
        if self.locks.held:
            raise LockHeld(f"{self.current.name} came to a seam with {self.locks.held} locks held")
        return self.current

    def _leave(self) -> None:
        task = self.current
        assert task is not None
        self._main.switch()
        if self.closed:
            raise greenlet.GreenletExit
        self.current = task
        self.entered(task)
        self.at_seam(task)

    # The loop

    def run(self, done: Callable[[], bool], until: float) -> bool:
        """Let the world go on until `done()`, asked whenever time is about to move, or until that second."""
        while True:
            while self._ready:
                self._step()
            if done():
                return True
            timer = self._next(until)
            if timer is None:
                return False
            self._now = max(self._now, timer.due)
            timer.task()

    def _next(self, until: float) -> Timer | None:
        end = START + timedelta(seconds=until)
        while self._timers:
            if self._timers[0].cancelled:
                heapq.heappop(self._timers)
            elif self._timers[0].due > end:
                break
            else:
                return heapq.heappop(self._timers)
        self._now = max(self._now, end)
        return None

    def _step(self) -> None:
        ready = self._ready
        place = self.random.randrange(len(ready)) if len(ready) > 1 else 0
        ready[place], ready[-1] = ready[-1], ready[place]
        task = ready.pop()
        if task.dead:
            return
        task.token += 1
        task.steps += 1
        self.switches += 1
        self._digest.update(task.name.encode())
        self.current = task
        if not task.greenlet:
            self.entered(task)
        task.greenlet.switch()
        self.current = None
        if self.broken:
            raise Broken(self.broken[0])

    # The record

    def note(self, action: str) -> None:
        """Add an action to the digest."""
        self._digest.update(f"{self.seconds:.6f} {action}\n".encode())

    def digest(self) -> str:
        """What happened, in which order and when, as 16 hex digits."""
        return self._digest.hexdigest()[:16]

    def close(self) -> None:
        """End every greenlet that has not ended; what their `finally` blocks want to do outside is refused."""
        self.closed = True
        for task in [*self._graveyard, *self._alive]:
            task.greenlet.throw(greenlet.GreenletExit)
        self._graveyard.clear()
        self._alive.clear()
        self._ready.clear()
        self._timers.clear()


def _raise(task: Task, error: BaseException) -> None:
    raise Broken(f"{task.name}: {type(error).__name__}: {error}") from error
