"""Zips each function for deployment, reproducibly: the same sources give the same bytes. `make package`."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path

import yaml

from infra.packages.imports import foreign, needed, path_of
from infra.packages.requirements import pinned
from shared.contracts.manifest import FunctionRow, Manifest

ROOT = Path(__file__).resolve().parents[2]
MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time of every entry: the earliest that a zip can say."""


def package(root: Path, target: Path, only: Collection[str] = ()) -> list[Path]:
    """Write {target}/{function}.zip for every function of the manifest, or for those of `only`; returns the paths."""
    manifest = Manifest.model_validate(yaml.safe_load((root / "functions" / "manifest.yaml").read_text("utf-8")))
    target.mkdir(parents=True, exist_ok=True)
    return [_zip(root, row, target / f"{row.name}.zip") for row in manifest.functions if not only or row.name in only]


def _zip(root: Path, row: FunctionRow, path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(_entries(root, row)):
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return path


def _entries(root: Path, row: FunctionRow) -> Iterator[tuple[str, bytes]]:
    """(name, content): main.py as the platform looks for it, the modules that it needs, and what these require."""
    entry = row.entry_point
    yield "main.py", f"from functions.{entry}.main import {entry}\n\n__all__ = [{entry!r}]\n".encode()
    modules = needed(root, f"functions.{entry}.main")
    locked = (root / "requirements.txt").read_text(encoding="utf-8")
    yield "requirements.txt", pinned(locked, foreign(root, modules)).encode()
    for file in sorted({file for module in modules for file in _files(root, module)}):
        yield file.relative_to(root).as_posix(), file.read_bytes()


def _files(root: Path, module: str) -> Iterator[Path]:
    """The module's file, and the prompts beside it."""
    path = path_of(root, module)
    if path is not None:
        yield path
        yield from (file for file in path.parent.iterdir() if file.is_file() and file.suffix not in (".py", ".pyc"))


if __name__ == "__main__":
    for written in package(ROOT, ROOT / "dist"):
        sys.stdout.write(f"{written.relative_to(ROOT)}  {written.stat().st_size:,} bytes\n")
