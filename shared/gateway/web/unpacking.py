"""A body as it was before it was packed, never more of it than wanted."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from shared.gateway.web.refusals import Unreadable

_PIECE = 64 * 1024
_GZIP, _ZLIB, _RAW = 31, 15, -15
"""Window bits, by which zlib knows the format."""


def unpacked(chunks: Iterable[bytes], encoding: str, limit: int) -> Iterator[bytes]:
    """The body piece by piece, for the value of a Content-Encoding header.

    A packed body that has more than `limit` bytes raises Unreadable before it is unpacked, and so does one that is
    broken, or is packed otherwise than by gzip or deflate. A body that is not packed is passed on as it comes.
    """
    name = encoding.strip().lower()
    if name in ("", "identity"):
        yield from chunks
    elif name in ("gzip", "x-gzip", "deflate"):
        yield from bounded(_inflated(chunks, gzip=name != "deflate"), limit, "once it is unpacked")
    else:
        raise Unreadable("The page is packed in a way that was not asked for.")


def bounded(pieces: Iterable[bytes], limit: int, when: str) -> Iterator[bytes]:
    """The pieces as they come. Raises Unreadable once they are more than `limit` bytes; `when` says of what."""
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > limit:
            raise Unreadable(f"The page has more than {limit} bytes {when}.")
        yield piece


def _inflated(chunks: Iterable[bytes], *, gzip: bool) -> Iterator[bytes]:
    unpacker, begun = None, False
    for chunk in chunks:
        data = chunk
        while data:
            if unpacker is None:
                if begun and not (gzip and data.startswith(b"\x1f\x8b")):
                    return  # no further member: what follows is ignored, as browsers do
                unpacker, begun = zlib.decompressobj(_GZIP if gzip else _deflate_form(data)), True
            try:
                piece = unpacker.decompress(data, _PIECE)
            except zlib.error as error:
                raise Unreadable("The page is packed, and broken.") from error
            if piece:
                yield piece
            if not unpacker.eof:
                data = unpacker.unconsumed_tail
                continue
            data, unpacker = unpacker.unused_data, None
    if unpacker is not None:
        yield from _rest(unpacker)


def _rest(unpacker: zlib._Decompress) -> Iterator[bytes]:
    while piece := unpacker.decompress(unpacker.unconsumed_tail, _PIECE):
        yield piece
    if not unpacker.eof:
        raise Unreadable("The page is packed, and ends before its end.")


def _deflate_form(data: bytes) -> int:
    """Servers mean one of two formats by deflate."""
    return _ZLIB if data[0] & 0x0F == 8 and (len(data) < 2 or int.from_bytes(data[:2], "big") % 31 == 0) else _RAW
