"""A request to a function under way: its caller waits here, and what serves it answers here, or dies."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping

from infra.sim.hub import Hub


class Disconnected(ConnectionError):
    """The connection broke before the whole answer had come."""


class NoConnection(Disconnected):
    """No connection could be made: nothing was sent."""


class Exchange:
    """One request and its answer. Whatever comes after the end, from either side, is dropped."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._wake: Callable[[], None] = _nobody
        self._chunks: deque[bytes] = deque()
        self._error: Disconnected | None = None
        self._after: list[Callable[[], None]] = []
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self.ended = False
        """The answer is whole, or broken."""
        self.left = False
        """The caller has gone away."""

    # The serving side

    def begin(self, status: int, headers: Mapping[str, str]) -> None:
        if not self.ended and not self.status:
            self.status, self.headers = status, headers
            self._wake()

    def put(self, chunk: bytes) -> None:
        if not self.ended:
            self._chunks.append(chunk)
            self._wake()

    def end(self) -> None:
        if not self.ended:
            self.ended = True
            self._wake()
            for act in self._after:
                act()

    def then(self, act: Callable[[], None]) -> None:
        """Call `act` when it has ended; it must not come to a seam."""
        self._after.append(act)

    def answer(self, status: int, body: bytes = b"") -> None:
        """The front's own answer, if none has begun; otherwise the connection breaks."""
        if self.status:
            self.fail(Disconnected("the answer was cut off"))
        elif not self.ended:
            self.begin(status, {"content-type": "text/plain"})
            self.put(body)
            self.end()

    def fail(self, error: Disconnected) -> None:
        if not self.ended:
            self._error = error
            self.end()

    @property
    def waiting(self) -> bytes:
        """What of the body nobody has taken yet."""
        return b"".join(self._chunks)

    # The caller's side

    def head(self) -> int:
        """Wait for the status. Raises Disconnected."""
        while not self.status:
            self._blocked()
        return self.status

    def chunks(self) -> Iterator[bytes]:
        """The body as it comes. Raises Disconnected."""
        while True:
            while self._chunks:
                yield self._chunks.popleft()
            if self.ended and self._error is None:
                return
            self._blocked()

    def leave(self) -> None:
        """The caller wants no more."""
        self.left = True

    def _blocked(self) -> None:
        if self._error is not None:
            raise self._error
        if self.ended:
            raise Disconnected("there was no answer")
        self._wake = self._hub.waker()
        self._hub.wait()
        self._wake = _nobody


def _nobody() -> None:
    """Nobody waits."""
