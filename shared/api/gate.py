"""How many event streams one instance holds open: each keeps a thread, and the others must stay free for requests."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable

from shared.api.refusals import TooManyStreams

STREAMS_PER_INSTANCE = 30
STREAMS_PER_WORKSPACE = 20


class Gate:
    """Counts the open streams of this process; it holds no fact that matters once the process is gone."""

    def __init__(self, total: int = STREAMS_PER_INSTANCE, each: int = STREAMS_PER_WORKSPACE) -> None:
        self._total, self._each = total, each
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    def enter(self, workspace: str) -> Callable[[], None]:
        """Count one stream in and return what counts it out, once. Raises TooManyStreams when there is no room."""
        with self._lock:
            if self._open[workspace] >= self._each or self._open.total() >= self._total:
                raise TooManyStreams(
                    "Too many event streams are open: close one, or poll with Accept: application/json."
                )
            self._open[workspace] += 1
        left = threading.Event()

        def leave() -> None:
            with self._lock:
                if not left.is_set():
                    left.set()
                    self._open[workspace] -= 1

        return leave
