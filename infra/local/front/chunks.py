"""A request's body that comes in chunks, read to the letter of RFC 9112: what is not a chunk is refused."""

from __future__ import annotations

import io
import re
from typing import Protocol

from werkzeug.exceptions import BadRequest

_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
LINE_BYTES = 4096
TRAILER_LINES = 100


class Source(Protocol):
    """What the chunks are read from."""

    def read(self, size: int, /) -> bytes: ...

    def readline(self, size: int, /) -> bytes: ...


class BadChunks(BadRequest):
    """A body that is not what its Transfer-Encoding says; answered with 400."""


class Chunks(io.RawIOBase):
    """The bytes inside the chunks of `source`.

    A read raises BadChunks once for a malformed or an incomplete body; after that the body counts as ended.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._left = 0
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # the stubs want any buffer
        """As many bytes as fit, or as the body still has."""
        filled = 0
        while filled < len(buffer) and not self._ended:
            try:
                piece = self._piece(len(buffer) - filled)
            except BadChunks:
                self._ended = True
                raise
            buffer[filled : filled + len(piece)] = piece
            filled += len(piece)
        return filled

    def _piece(self, most: int) -> bytes:
        """The next bytes of the chunk under way, b"" at the end of the body."""
        if self._left == 0 and not self._begun():
            return b""
        piece = self._source.read(min(most, self._left))
        if not piece:
            raise BadChunks("The body ends inside a chunk.")
        self._left -= len(piece)
        if self._left == 0 and self._source.readline(2) not in (b"\r\n", b"\n"):
            raise BadChunks("A chunk is longer than it says.")
        return piece

    def _begun(self) -> bool:
        """Read the size of the next chunk; False after the last one."""
        match = _SIZE.fullmatch(self._source.readline(LINE_BYTES))
        if match is None:
            raise BadChunks("A chunk does not begin with its size.")
        self._left = int(match[1], 16)
        if self._left == 0:
            self._skip_trailers()
        return self._left > 0

    def _skip_trailers(self) -> None:
        for _ in range(TRAILER_LINES):
            line = self._source.readline(LINE_BYTES)
            if line in (b"\r\n", b"\n"):
                self._ended = True
                return
            if not line.endswith(b"\n"):
                break
        raise BadChunks("The body does not end after its last chunk.")
