"""Loading functions: several in one process, none in the way of another."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from werkzeug.test import Client

from infra.local.functions.apps import BuildFailed, build, read_manifest

ROOT = Path(__file__).parents[3] / "support" / "functions_root"
MANIFEST = read_manifest(ROOT)


def test_two_functions_in_files_of_the_same_name_are_two_functions() -> None:
    probe, guarded = (Client(build(ROOT, MANIFEST.function(name))) for name in ("probe", "guarded"))
    assert probe.get("/echo").json["function"] == "probe"
    assert guarded.get("/").json["function"] == "guarded"


def test_an_http_function_after_a_cloud_event_function_is_still_http() -> None:
    build(ROOT, MANIFEST.function("on-document"))
    assert Client(build(ROOT, MANIFEST.function("tick"))).post("/", data=b"{}").text == "POST {}"


def test_the_framework_leaves_environment_and_modules_as_they_were() -> None:
    before, main = dict(os.environ), sys.modules.get("main")
    build(ROOT, MANIFEST.function("probe"))
    assert dict(os.environ) == before
    assert sys.modules.get("main") is main
    assert "functions.probe.main" in sys.modules


def test_a_function_without_a_file_is_named() -> None:
    row = MANIFEST.function("probe").model_copy(update={"entry_point": "absent"})
    with pytest.raises(BuildFailed, match=r"probe.*absent/main\.py is missing"):
        build(ROOT, row)


def test_a_function_that_cannot_be_imported_says_why() -> None:
    with pytest.raises(BuildFailed, match="ImportError: no such library"):
        build(ROOT, MANIFEST.function("broken"))


def test_a_function_that_is_not_in_its_file_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "functions" / "probe"
    folder.mkdir(parents=True)
    (folder / "main.py").write_text("other = 1\n")
    with pytest.raises(BuildFailed, match="named 'probe'"):
        build(tmp_path, MANIFEST.function("probe"))
