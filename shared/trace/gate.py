"""How many streams one instance holds open: each keeps a thread, and the others must stay free for requests."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable

from shared.errors import MemexError

STREAMS_PER_INSTANCE = 30
STREAMS_PER_WORKSPACE = 20


class TooManyStreams(MemexError):
    status, code = 429, "too_many_streams"


class Gate:
    """Counts what is open in this process; it holds no fact that matters once the process is gone."""

    def __init__(self, total: int = STREAMS_PER_INSTANCE, each: int = STREAMS_PER_WORKSPACE) -> None:
        self._total, self._each = total, each
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    def enter(self, workspace: str, *, refusal: str) -> Callable[[], None]:
        """Count one in and return what counts it out, once. Raises TooManyStreams with `refusal` without room."""
        with self._lock:
            if self._open[workspace] >= self._each or self._open.total() >= self._total:
                raise TooManyStreams(refusal)
            self._open[workspace] += 1
        left = threading.Event()

        def leave() -> None:
            with self._lock:
                if not left.is_set():
                    left.set()
                    self._open[workspace] -= 1

        return leave
