"""The files of a workspace: listed, read in pieces, and put together of pieces where they are taken in."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from shared import cursors
from shared.contracts.portability import (
    OBJECT_PIECE_BYTES,
    OBJECTS_AT_ONCE,
    Imported,
    ImportResult,
    ObjectEntry,
    ObjectsPage,
    ObjectWanted,
)
from shared.errors import InputError, NotFound, Unprocessable
from shared.gateway.objects import CHUNK_BYTES
from shared.store.errors import Malformed
from shared.store.workspace import WorkspaceStore

if TYPE_CHECKING:
    from shared.gateway.objects import Objects

_FOLDER, _PIECES = "documents", "import"
_PICTURES = {"svg": "image/svg+xml", "png": "image/png"}
_PLAIN = "application/octet-stream"


class Files:
    """`place` is None where there is none for files: then there are none."""

    def __init__(self, place: Callable[[], Objects] | None, store: WorkspaceStore) -> None:
        self._place, self._store = place, store
        self._root = f"workspaces/{store.workspace}"

    def page(self, cursor: str | None) -> ObjectsPage:
        """The files after the cursor. Raises InputError for a cursor that is none, Transient."""
        if self._place is None:
            return ObjectsPage(objects=())
        after = _name_in(cursor)
        cut = len(self._root) + 1
        listed = ((one.name[cut:], one.bytes) for one in self._objects.list(f"{self._root}/{_FOLDER}"))
        found = sorted(one for one in listed if one[0] > after)
        page = found[:OBJECTS_AT_ONCE]
        more = cursors.cursor_of([page[-1][0]]) if len(found) > len(page) else None
        return ObjectsPage(objects=tuple(ObjectEntry(name=name, bytes=size) for name, size in page), next_cursor=more)

    def piece(self, name: str, start: int) -> bytes:
        """At most OBJECT_PIECE_BYTES from `start`, none behind its end. Raises NotFound, InputError."""
        if self._place is None:
            raise NotFound(f"There is no file {name}.")
        return self._objects.get_range(self._named(name), start, OBJECT_PIECE_BYTES)

    def take(self, wanted: ObjectWanted, *, dry_run: bool) -> ImportResult:
        """What is there of it; where all its pieces are, it is put together. Raises InputError, Transient."""
        if self._place is None:
            message = "There is no place for files here: set OBJECTS_URL."
            return ImportResult(name=wanted.name, outcome=Imported.LEFT_OUT, message=message)
        known = self._there(wanted)
        if known is not None or dry_run:
            return known or ImportResult(name=wanted.name, outcome=Imported.CREATED)
        if not self._whole(wanted):
            return ImportResult(name=wanted.name, outcome=Imported.WANTED)
        with tempfile.TemporaryFile() as whole:  # the library reads nothing while it writes
            digest = hashlib.sha256()
            for piece in self._pieces(wanted):
                whole.write(piece)
                digest.update(piece)
            whole.seek(0)
            good = digest.hexdigest() == wanted.sha256
            if good:
                chunks = iter(partial(whole.read, CHUNK_BYTES), b"")
                self._objects.put(self._named(wanted.name), chunks, self._type(wanted.name))
        self._forget(wanted)
        if good:
            return ImportResult(name=wanted.name, outcome=Imported.CREATED)
        message = "The pieces that came are not the file that was announced: send it again."
        return ImportResult(name=wanted.name, outcome=Imported.WANTED, message=message)

    def receive(self, name: str, sha256: str, start: int, data: bytes) -> None:
        """Keep a piece until all have come. Raises InputError, Unprocessable where there is no place for files."""
        self._named(name)
        if self._place is None:
            raise Unprocessable("There is no place for files here: set OBJECTS_URL.")
        if start % OBJECT_PIECE_BYTES or not 0 < len(data) <= OBJECT_PIECE_BYTES:
            raise InputError(f"start: pieces have {OBJECT_PIECE_BYTES} bytes, the last one what is left", field="start")
        self._objects.put(self._piece_name(name, sha256, start), data, _PLAIN)

    def forget_pieces(self) -> None:
        """Take away pieces of files that were never put together."""
        if self._place is not None:
            self._remove(f"{self._root}/{_PIECES}")

    def _there(self, wanted: ObjectWanted) -> ImportResult | None:
        name = self._named(wanted.name)
        try:
            same = self._objects.size(name) == wanted.bytes and _digest(self._objects.chunks(name)) == wanted.sha256
        except NotFound:
            return None
        if same:
            return ImportResult(name=wanted.name, outcome=Imported.THERE)
        message = "Another file is there, and stays as it is."
        return ImportResult(name=wanted.name, outcome=Imported.DIFFERS, message=message)

    def _whole(self, wanted: ObjectWanted) -> bool:
        folder = self._piece_folder(wanted.name, wanted.sha256)
        return sum(one.bytes for one in self._objects.list(folder)) == wanted.bytes

    def _pieces(self, wanted: ObjectWanted) -> Iterator[bytes]:
        for start in range(0, wanted.bytes, OBJECT_PIECE_BYTES):
            yield from self._objects.chunks(self._piece_name(wanted.name, wanted.sha256, start))

    def _forget(self, wanted: ObjectWanted) -> None:
        self._remove(self._piece_folder(wanted.name, wanted.sha256))

    def _remove(self, folder: str) -> None:
        for one in list(self._objects.list(folder)):
            self._objects.delete(one.name)

    def _type(self, name: str) -> str:
        """As the file was put in: a document's own kind, or a picture's."""
        _, document_id, *rest = name.split("/")
        if rest == ["original"]:
            try:
                document = self._store.documents.look(document_id)
            except Malformed:
                return _PLAIN
            return document.content_type if document is not None else _PLAIN
        return _PICTURES.get(name.rpartition(".")[2], _PLAIN)

    @property
    def _objects(self) -> Objects:
        assert self._place is not None
        return self._place()

    def _named(self, name: str) -> str:
        """The whole name of a file of this workspace. Raises InputError for what lies elsewhere."""
        segments = name.split("/")
        if segments[0] != _FOLDER or len(segments) not in (3, 4) or any(one in ("", ".", "..") for one in segments):
            raise InputError("name: a file of a workspace is documents/{id}/…", field="name")
        return f"{self._root}/{name}"

    def _piece_folder(self, name: str, sha256: str) -> str:
        key = hashlib.sha256(f"{name}\x1f{sha256}".encode()).hexdigest()
        return f"{self._root}/{_PIECES}/{key}"

    def _piece_name(self, name: str, sha256: str, start: int) -> str:
        return f"{self._piece_folder(name, sha256)}/{start:012d}"


def _digest(pieces: Iterator[bytes]) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def _name_in(cursor: str | None) -> str:
    if cursor is None:
        return ""
    key = cursors.key_in(cursor)
    if len(key) != 1 or not isinstance(key[0], str):
        raise cursors.not_ours()
    return key[0]
