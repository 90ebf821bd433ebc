"""Locks that know each other: in one thread, whoever is switched away from while he holds one stops everybody."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any


class LockHeld(BaseException):
    """Somebody would wait for a lock, or let others run while holding one: a mistake in the simulated code's seams.

    Not an Exception, so that no edge of the simulated code takes it for a failure of its own.
    """


class Locks:
    """Counts how many locks are held; makes the locks of whatever is built inside `watched()`."""

    def __init__(self) -> None:
        self.held = 0

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Inside, `threading.Lock` and `threading.RLock` make locks that are counted."""
        lock, reentrant = threading.Lock, threading.RLock
        names: Any = threading
        names.Lock, names.RLock = lambda: _Watched(self, 1), lambda: _Watched(self, 1_000)
        try:
            yield
        finally:
            names.Lock, names.RLock = lock, reentrant


class _Watched:
    """A lock of a program with one thread: it is free, or waiting for it would never end."""

    def __init__(self, locks: Locks, depth: int) -> None:
        self._locks, self._most, self._depth = locks, depth, 0

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        if self._depth >= self._most:
            if blocking:
                raise LockHeld("a lock is waited for that nobody can release")
            return False
        self._depth += 1
        self._locks.held += 1
        return True

    def release(self) -> None:
        if not self._depth:
            raise RuntimeError("release of a lock that is not held")
        self._depth -= 1
        self._locks.held -= 1

    def locked(self) -> bool:
        return self._depth > 0

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()

    # What threading.Condition asks of a lock.
    def _is_owned(self) -> bool:
        return self._depth > 0

    def _release_save(self) -> int:
        raise LockHeld("somebody waits for a condition that no other thread can bring about")

    def _acquire_restore(self, _saved: int) -> None:
        raise LockHeld("a condition was waited for")

    def _at_fork_reinit(self) -> None:
        self._depth = 0
