"""Zips each function for deployment, reproducibly: the same sources give the same bytes. `python -m infra.package`."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import yaml

from shared.contracts.manifest import FunctionRow, Manifest

ROOT = Path(__file__).resolve().parents[1]
MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time of every entry: the earliest that a zip can say."""


def package(root: Path, target: Path) -> list[Path]:
    """Write {target}/{function}.zip for every function of the manifest; returns the paths."""
    manifest = Manifest.model_validate(yaml.safe_load((root / "functions" / "manifest.yaml").read_text("utf-8")))
    target.mkdir(parents=True, exist_ok=True)
    return [_zip(root, row, target / f"{row.name}.zip") for row in manifest.functions]


def _zip(root: Path, row: FunctionRow, path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(_entries(root, row)):
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return path


def _entries(root: Path, row: FunctionRow) -> Iterator[tuple[str, bytes]]:
    """(name, content): main.py as the platform looks for it, the function's folder, shared/, manifest, requirements."""
    entry = row.entry_point
    yield "main.py", f"from functions.{entry}.main import {entry}\n\n__all__ = [{entry!r}]\n".encode()
    for name in ("functions/__init__.py", "functions/manifest.yaml", "requirements.txt"):
        yield name, (root / name).read_bytes()
    for folder in (root / "functions" / entry, root / "shared"):
        for file in folder.rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                yield file.relative_to(root).as_posix(), file.read_bytes()


if __name__ == "__main__":
    for written in package(ROOT, ROOT / "dist"):
        sys.stdout.write(f"{written.relative_to(ROOT)}  {written.stat().st_size:,} bytes\n")
