"""Resource names: taking them apart, refusing bad ids, and keys that sort as Firestore sorts paths."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from infra.local.firestore.refusals import invalid

MAX_ID_BYTES = 1500
MAX_NAME_BYTES = 6144
MAX_DEPTH = 100
_PATH_END = b"\x00"
_DATABASE = re.compile(r"(projects/[^/]+/databases/[^/]+)(?:/documents(?:/(.*))?)?", re.DOTALL)
_RESERVED = re.compile(r"__.+__", re.DOTALL)
_NUMERIC = re.compile(r"__id(-?\d{1,19})__")


class Path(NamedTuple):
    """A database and the segments below its documents; an even number of segments names a document."""

    database: str
    segments: tuple[str, ...]

    @property
    def key(self) -> bytes:
        """Bytes that sort as the path does among the paths of its database."""
        return prefix_key(self.segments) + _PATH_END

    @property
    def name(self) -> str:
        return "/".join((self.database, "documents", *self.segments))


def prefix_key(segments: Iterable[str]) -> bytes:
    """What the sort keys of all paths below these segments begin with."""
    return b"".join(map(segment_key, segments))


def document_key(prefix: bytes, doc_id: str) -> bytes:
    """The sort key of a document in the collection with that prefix; no key is a prefix of another."""
    return prefix + segment_key(doc_id) + _PATH_END


def segment_key(segment: str) -> bytes:
    """One id: numeric ids first, by number, then the others by their UTF-8 bytes."""
    if segment.startswith("__id") and (match := _NUMERIC.fullmatch(segment)):
        return b"\x01" + struct.pack(">Q", (int(match[1]) + (1 << 63)) & (1 << 64) - 1)
    return b"\x02" + segment.encode() + b"\x00"


def parse(name: str) -> Path:
    """Any name inside a database, the root of its documents included. Raises INVALID_ARGUMENT."""
    match = _DATABASE.fullmatch(name)
    if match is None:
        raise invalid(f'Document name "{name}" lacks "projects" at index 0 or "databases" at index 2.')
    segments = tuple(match[2].split("/")) if match[2] is not None else ()
    for segment in segments:
        check_id(segment, name)
    if len(segments) > 2 * MAX_DEPTH or len(name.encode()) > MAX_NAME_BYTES:
        raise invalid(f"The name is longer than {MAX_NAME_BYTES} bytes or {MAX_DEPTH} levels: {name[:200]}")
    return Path(match[1], segments)


def check_id(segment: str, name: str) -> None:
    """Refuse an id that production refuses: empty, ".", "..", NUL, reserved, over 1,500 bytes."""
    if segment in ("", ".", "..") or "\x00" in segment or "/" in segment:
        raise invalid(f'Resource name "{name}" has an invalid id "{segment}".')
    if segment.startswith("__") and _RESERVED.fullmatch(segment) and not _NUMERIC.fullmatch(segment):
        raise invalid(f'Resource id "{segment}" is invalid because it is reserved.')
    if len(segment) * 3 > MAX_ID_BYTES and len(segment.encode()) > MAX_ID_BYTES:
        raise invalid(f"The id is longer than {MAX_ID_BYTES} bytes: {segment[:50]}...")


def split_document(name: str) -> tuple[str, str]:
    """The collection's name and the document's id. Raises INVALID_ARGUMENT when `name` names no document."""
    collection, _, doc_id = name.rpartition("/")
    if not _is_collection(collection):
        parse(name)
        raise invalid(f'Document name "{name}" does not name a document: it needs an even number of segments.')
    check_id(doc_id, name)
    if len(name) * 3 > MAX_NAME_BYTES:
        parse(name)
    return collection, doc_id


@lru_cache(maxsize=4096)
def _is_collection(name: str) -> bool:
    if not _DATABASE.fullmatch(name):
        return False
    return len(parse(name).segments) % 2 == 1


def parse_parent(name: str) -> Path:
    """A document or the root of the documents, as parent of collections. Raises INVALID_ARGUMENT."""
    path = parse(name)
    if len(path.segments) % 2:
        raise invalid(f'"{name}" names a collection; a document or the root was expected.')
    return path


def reference_key(name: str) -> bytes:
    """The sort key of a reference value: its database, then its path."""
    path = parse(name)
    return segment_key(path.database) + path.key
