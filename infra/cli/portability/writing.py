"""Writing an export: a folder, or a tar file; under its name only once it is whole."""

from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import IO, Literal, Protocol

from infra.cli.errors import CliError
from infra.cli.portability import manifest
from infra.cli.portability.manifest import FileEntry, Manifest
from shared.clock import SystemClock

TARS = (".tar", ".tar.gz", ".tgz")


class Target(Protocol):
    """Where an export goes."""

    def place(self, name: str, source: IO[bytes], size: int) -> None:
        """Add a file with what `source` has from where it stands."""

    def finish(self) -> None:
        """Give it its name."""

    def drop(self) -> None:
        """Take away what is not whole."""


class Writer:
    """A context; without `finish` nothing is left of it. Raises CliError where it cannot be written."""

    def __init__(self, to: Path) -> None:
        try:
            self._target: Target = _Tar(to) if to.name.endswith(TARS) else _Folder(to)
            self._spool = Path(tempfile.mkdtemp(prefix=".memex-export-", dir=to.absolute().parent))
        except OSError as error:
            raise CliError(f"{to} cannot be written: {error.strerror}") from error
        self._to = to
        self._files: dict[str, FileEntry] = {}

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self._spool, ignore_errors=True)
        if kind is not None:
            self._target.drop()
        if isinstance(error, OSError):
            raise CliError(f"{self._to} cannot be written: {error.strerror or error}") from error

    def lines(self, name: str, lines: Iterable[str]) -> FileEntry:
        """A file of lines, which the manifest will name."""
        entry = self._files[name] = self._written(name, (line.encode() + b"\n" for line in lines))
        return entry

    def file(self, name: str, pieces: Iterable[bytes]) -> tuple[int, str]:
        """A file as it is: its size and its SHA-256."""
        entry = self._written(name, pieces)
        return entry.bytes, entry.sha256

    def finish(self, export_id: str, workspace: str, at: str, unknown: tuple[str, ...]) -> Manifest:
        """The manifest, last: without it nothing is an export."""
        made = Manifest(export_id, workspace, at, dict(self._files), unknown)
        data = made.text().encode()
        self._target.place(manifest.NAME, BytesIO(data), len(data))
        self._target.finish()
        return made

    def _written(self, name: str, pieces: Iterable[bytes]) -> FileEntry:
        """By way of a file of its own: a tar file must know the size first. `lines` counts the pieces."""
        digest, count = hashlib.sha256(), 0
        with (self._spool / "file").open("w+b") as file:
            for piece in pieces:
                file.write(piece)
                digest.update(piece)
                count += 1
            size = file.tell()
            file.seek(0)
            self._target.place(name, file, size)
        return FileEntry(count, size, digest.hexdigest())


class _Folder:
    def __init__(self, to: Path) -> None:
        if to.exists() and (not to.is_dir() or any(to.iterdir())):
            raise CliError(f"There is something at {to} already: name another place.", code="exists")
        self._to, self._at = to, to.with_name(f".{to.name}.{os.getpid()}.partial")
        self._at.mkdir(mode=0o700, parents=True)

    def place(self, name: str, source: IO[bytes], _size: int) -> None:
        file = self._at / name
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with file.open("wb") as target:
            shutil.copyfileobj(source, target)

    def finish(self) -> None:
        if self._to.exists():
            self._to.rmdir()
        self._at.rename(self._to)

    def drop(self) -> None:
        shutil.rmtree(self._at, ignore_errors=True)


class _Tar:
    def __init__(self, to: Path) -> None:
        if to.exists():
            raise CliError(f"There is a file {to} already: name another.", code="exists")
        self._to, self._at = to, to.with_name(f".{to.name}.{os.getpid()}.partial")
        self._now = int(SystemClock().now().timestamp())
        descriptor = os.open(self._at, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._file = os.fdopen(descriptor, "wb")
        compressed = not to.name.endswith(".tar")
        mode: Literal["w", "w:gz"] = "w:gz" if compressed else "w"
        self._tar = tarfile.open(fileobj=self._file, mode=mode, format=tarfile.PAX_FORMAT)  # noqa: SIM115 - closed below

    def place(self, name: str, source: IO[bytes], size: int) -> None:
        about = tarfile.TarInfo(name)
        about.size, about.mode, about.mtime = size, 0o600, self._now
        self._tar.addfile(about, source)

    def finish(self) -> None:
        self._tar.close()
        self._file.close()
        self._at.rename(self._to)

    def drop(self) -> None:
        self._file.close()
        self._at.unlink(missing_ok=True)
