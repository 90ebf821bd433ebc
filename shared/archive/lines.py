"""Events as lines of JSON, and lines as a compressed file."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterable, Sequence

from pydantic import ValidationError

from shared.contracts.events import Envelope
from shared.errors import Unprocessable


def line_of(piece: bytes) -> bytes:
    """A piece as a line. Raises Unprocessable where it is no envelope on one line."""
    line = piece.rstrip(b"\n")
    try:
        Envelope.model_validate_json(line)
    except ValidationError as error:
        raise Unprocessable("It is no trace event.") from error
    if b"\n" in line:
        raise Unprocessable("It is more than one line.")
    return line


def digest(line: bytes) -> bytes:
    """What stands for a line where many are kept."""
    return hashlib.sha256(line).digest()


def ordered(content: Iterable[bytes]) -> list[bytes]:
    """The lines, each once, in the order of their moments; of one moment by stream and number."""
    return sorted(set(content), key=_place)


def _place(line: bytes) -> tuple[str, str, int, bytes]:
    event = Envelope.model_validate_json(line)
    return event.at.isoformat(timespec="microseconds"), event.stream, event.seq, line


def packed(content: Sequence[bytes]) -> bytes:
    """The lines as a gzip file: the same lines are the same bytes."""
    return gzip.compress(b"".join(line + b"\n" for line in content), compresslevel=6, mtime=0)


def unpacked(data: bytes, name: str) -> list[bytes]:
    """The lines of a file. Raises Unprocessable where it is damaged."""
    try:
        return gzip.decompress(data).removesuffix(b"\n").split(b"\n")
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise Unprocessable(f"{name} is damaged: nothing is deleted that it should hold.") from error
