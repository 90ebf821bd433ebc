"""The stream of a message's own request: what the worker beside it tells, as it tells it.

The worker has a thread of its own, so that heartbeats go out while the model is silent, and so that a client who left
is noticed. When the worker is over and the turn is not, the stream goes on from the store.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from shared.chat import frames
from shared.chat.following import Follower
from shared.chat.holding import Held, Told
from shared.contracts.chat import TextBlock, TextPiece
from shared.errors import NotFound, Transient
from shared.trace import sse
from shared.trace.tail import HEARTBEAT_SECONDS, RETRY_MILLISECONDS

if TYPE_CHECKING:
    from shared.markdown import Growing

log = logging.getLogger(__name__)

WORKER_SECONDS = 60.0
"""So long a stream whose turn has ended waits for its worker: longer than any save takes."""


class Live:
    """Between a worker, which calls `tell` and `over`, and the request that reads `frames`."""

    def __init__(self) -> None:
        self._told: queue.SimpleQueue[Told | None] = queue.SimpleQueue()
        self._held: Held | None = None
        self._ended = threading.Event()
        self._blocks = Blocks()

    def tell(self, told: Told) -> None:
        self._told.put(told)

    def over(self) -> None:
        """The worker has let go of the turn."""
        self._ended.set()
        self._told.put(None)

    def follows(self, held: Held) -> None:
        self._held = held

    def leave(self) -> None:
        """The client has gone, or has everything: a worker that is still at it stops and gives the turn back."""
        if self._held is not None and not self._held.over.is_set():
            self._held.cut.cut("client_gone")

    def frames(self, follower: Follower, first: Told, seconds: float) -> Iterator[str]:
        """All frames of the turn, to its `done`.

        The stream ends once the worker has saved what it has to: after that a function may have no processor any more.
        When the worker gave the turn up they go on from the store, until `seconds` after the beginning; then, and when
        the store is away, comes `retry:`.
        """
        opened = follower.clock.now()
        yield sse.OPENED
        try:
            yield from self._live(follower, first)
        except NotFound:
            return
        except Transient:
            yield sse.retry(RETRY_MILLISECONDS)
            return
        if not follower.over:
            yield from follower.frames(seconds - (follower.clock.now() - opened).total_seconds())
        elif not self._ended.wait(WORKER_SECONDS):
            log.warning("a stream ended before its worker had saved the checkpoint")

    def _live(self, follower: Follower, first: Told) -> Iterator[str]:
        """What the worker tells, until it is over."""
        yield from self._shown(follower, first)
        while not follower.over:
            try:
                told = self._told.get(timeout=HEARTBEAT_SECONDS)
            except queue.Empty:
                yield sse.HEARTBEAT
                continue
            if told is None:
                return
            yield from self._shown(follower, told)

    def _shown(self, follower: Follower, told: Told) -> Iterator[str]:
        if not isinstance(told, TextPiece):
            self._blocks = Blocks()  # the text is whole now, or void
            yield from follower.events(told)
            return
        yield frames.delta(told)
        if follower.html:
            yield from map(frames.block, self._blocks.add(told))


class Blocks:
    """The blocks of a text that is being written, each once it is finished."""

    def __init__(self) -> None:
        self._growing: Growing | None = None
        self._n = 0

    def add(self, piece: TextPiece) -> Iterator[TextBlock]:
        if self._growing is None:
            from shared.markdown import Growing

            self._growing = Growing()
        for html in self._growing.add(piece.text):
            tail = self._growing.tail
            yield TextBlock(turn_id=piece.turn_id, iteration=piece.iteration, n=self._n, html=html, tail=tail)
            self._n += 1


def opened(stream: Callable[[], Iterator[str]]) -> Iterator[str]:
    """A stream from the store, with its headers sent at once."""
    yield sse.OPENED
    yield from stream()
