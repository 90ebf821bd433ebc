"""Reading an export, a folder or a tar file: nothing is unpacked, no link is followed, and checksums are checked."""

from __future__ import annotations

import hashlib
import json
import lzma
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from infra.cli.errors import CliError
from infra.cli.portability import manifest
from infra.cli.portability.manifest import Manifest
from shared.contracts.limits import REQUEST_BYTES

LINE_BYTES = REQUEST_BYTES - 10_000
"""The longest line: a document of 1 MiB has no longer one, and it fits a request."""
_MANIFEST_BYTES = 1_000_000
_CHUNK = 1_000_000
_UNREADABLE = (OSError, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError)


@dataclass(frozen=True)
class StoredFile:
    """An object as objects.jsonl has it."""

    name: str
    bytes: int
    sha256: str


class Reader:
    """A context over one export. Raises CliError for what is none, or is damaged."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._tar: tarfile.TarFile | None = None
        try:
            if not place.is_dir():
                self._tar = tarfile.open(place, "r:*")  # noqa: SIM115 - this is one itself
        except OSError as error:
            raise CliError(f"{place} cannot be read: {error.strerror or error}", code="no_export") from error
        except _UNREADABLE as error:
            raise CliError(f"{place} is no export: neither a folder nor a whole tar file.", code="no_export") from error
        try:
            with self._open(manifest.NAME) as file:
                self.manifest: Manifest = manifest.parse(file.read(_MANIFEST_BYTES))
        except CliError:
            self.close()
            raise

    def __enter__(self) -> Reader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        if self._tar is not None:
            self._tar.close()

    def verify(self) -> None:
        """Raises CliError for the first file of lines that is not as the manifest says."""
        for name, entry in self.manifest.files.items():
            digest, size, lines = hashlib.sha256(), 0, 0
            for chunk in self._chunks(name):
                digest.update(chunk)
                size += len(chunk)
                lines += chunk.count(b"\n")
            if (lines, size, digest.hexdigest()) != (entry.lines, entry.bytes, entry.sha256):
                raise CliError(f"{name} is damaged: its checksum is another than the manifest's.", code="damaged")

    def lines(self, collection: str) -> Iterator[bytes]:
        """The documents of a collection, a JSON object each: nothing that goes into a request as it is says more."""
        name = manifest.file_of(collection)
        for number, line in enumerate(self._lines(name), 1):
            if not _is_object(line):
                raise CliError(f"Line {number} of {name} is no document.", code="damaged")
            yield line

    def objects(self) -> Iterator[StoredFile]:
        """The objects that the export has."""
        if manifest.OBJECTS not in self.manifest.files:
            return
        for line in self._lines(manifest.OBJECTS):
            try:
                given: Any = json.loads(line)
                yield StoredFile(str(given["name"]), int(given["bytes"]), str(given["sha256"]))
            except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
                raise CliError(f"{manifest.OBJECTS} is damaged.", code="damaged") from error

    @contextmanager
    def content(self, one: StoredFile) -> Iterator[IO[bytes]]:
        """The bytes of an object."""
        with self._open(manifest.object_file(one.name)) as file:
            yield file

    def _lines(self, name: str) -> Iterator[bytes]:
        with self._open(name) as file:
            while line := file.readline(LINE_BYTES):
                if not line.endswith(b"\n"):
                    raise CliError(f"{name} has a line that is too long, or was cut off.", code="damaged")
                yield line[:-1]

    def _chunks(self, name: str) -> Iterator[bytes]:
        with self._open(name) as file:
            while chunk := file.read(_CHUNK):
                yield chunk

    @contextmanager
    def _open(self, name: str) -> Iterator[IO[bytes]]:
        try:
            with self._member(name) as file:
                yield file
        except _UNREADABLE as error:
            raise CliError(f"{name} of {self._place} cannot be read: {error}", code="damaged") from error

    @contextmanager
    def _member(self, name: str) -> Iterator[IO[bytes]]:
        if self._tar is None:
            path = self._place / name
            if not path.resolve().is_relative_to(self._place.resolve()):
                raise CliError(f"{name} leads out of the export.", code="damaged")
            if path.exists() and not path.is_file():  # a pipe would be waited for
                raise CliError(f"{name} is no plain file.", code="damaged")
            with path.open("rb") as file:
                yield file
            return
        try:
            member = self._tar.getmember(name)
        except KeyError as error:
            missing = "no_export" if name == manifest.NAME else "damaged"
            raise CliError(f"{self._place} has no {name}.", code=missing) from error
        found = self._tar.extractfile(member) if member.isreg() else None
        if found is None:
            raise CliError(f"{name} is no plain file.", code="damaged")
        with found as file:
            yield file


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
