"""A small bar chart as PNG, made with zlib alone: the image that the agent puts between the parts of a report."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

_WIDTH, _HEIGHT, _BAR = 160, 80, 12
_WHITE, _GREY, _BLUE = b"\xff\xff\xff", b"\xbb\xbb\xbb", b"\x33\x66\xcc"


def bars_png(values: Sequence[int], highlighted: int) -> bytes:
    """One bar a value, scaled to the highest; the bar numbered `highlighted` is blue."""
    top = max([1, *values])
    heights = [value * (_HEIGHT - 10) // top for value in values[: _WIDTH // _BAR]]
    rows = b"".join(b"\0" + _row(_HEIGHT - y, heights, highlighted) for y in range(_HEIGHT))
    header = struct.pack(">IIBBBBB", _WIDTH, _HEIGHT, 8, 2, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _row(level: int, heights: Sequence[int], highlighted: int) -> bytes:
    row = b"".join(
        (_BLUE if n == highlighted else _GREY) * (_BAR - 4) + _WHITE * 4 if height >= level else _WHITE * _BAR
        for n, height in enumerate(heights)
    )
    return row.ljust(_WIDTH * 3, b"\xff")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
