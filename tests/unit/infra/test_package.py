"""The zips that are deployed."""

from __future__ import annotations

import os
import shutil
import zipfile
from pathlib import Path

import pytest

from infra.packages.zips import ROOT, package


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The sources of the functions somewhere else, with other file times."""
    root = tmp_path / "copy"
    ignore = shutil.ignore_patterns("__pycache__")
    for folder in ("functions", "shared"):
        shutil.copytree(ROOT / folder, root / folder, ignore=ignore)
    shutil.copy(ROOT / "requirements.txt", root)
    for path in root.rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    return root


def test_the_same_sources_give_the_same_bytes(copy: Path, tmp_path: Path) -> None:
    here = package(ROOT, tmp_path / "a")
    there = package(copy, tmp_path / "b")
    assert [path.name for path in here] == [path.name for path in there]
    assert all(one.read_bytes() == other.read_bytes() for one, other in zip(here, there, strict=True))


def test_a_zip_has_its_function_and_what_is_shared_and_no_other_function(tmp_path: Path) -> None:
    paths = {path.stem: path for path in package(ROOT, tmp_path)}
    with zipfile.ZipFile(paths["api"]) as archive:
        names = archive.namelist()
        main = archive.read("main.py").decode()
    assert "from functions.api.main import api" in main
    assert {"functions/api/main.py", "functions/manifest.yaml", "shared/config.py", "requirements.txt"} <= set(names)
    assert not [name for name in names if name.startswith("functions/research") or "__pycache__" in name]
