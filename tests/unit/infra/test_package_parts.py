"""What of our sources and of the locked packages goes into a zip, and the bill of materials."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from infra.local.functions.apps import read_manifest
from infra.packages.bom import bill, components, licences
from infra.packages.check import answer, measure, unpack
from infra.packages.imports import foreign, needed
from infra.packages.requirements import pinned
from infra.packages.zips import ROOT, package

LOCKED = (ROOT / "requirements.txt").read_text()
MANIFEST = read_manifest(ROOT)


def names(requirements: str) -> set[str]:
    return set(re.findall(r"^([a-z0-9-]+)==", requirements, re.MULTILINE))


def test_a_function_that_asks_no_model_has_no_part_of_one() -> None:
    modules = needed(ROOT, "functions.trace_fanout.main")
    assert "shared.gateway.pubsub" in modules and "shared.trace.fanout" in modules
    assert not [name for name in modules if name.startswith(("shared.llm", "shared.chat", "shared.brain"))]


@pytest.mark.parametrize("entry", ["chat", "extract"])
def test_processes_that_are_started_by_name_go_along(entry: str) -> None:
    assert {"shared.documents.worker", "shared.gateway.web.worker"} <= needed(ROOT, f"functions.{entry}.main")


def test_members_of_the_app_that_are_asked_for_go_along_with_all_that_they_ask() -> None:
    modules = needed(ROOT, "functions.usage_meter.main")
    assert {"shared.usage.metering", "shared.store.client", "shared.store.workspace"} <= modules


def test_requirements_are_the_locked_ones_that_are_imported_and_what_they_require() -> None:
    wanted = pinned(LOCKED, foreign(ROOT, needed(ROOT, "functions.trace_fanout.main")))
    assert {"functions-framework", "google-cloud-pubsub", "grpcio", "pydantic", "pydantic-core"} <= names(wanted)
    assert not names(wanted) & {"duckdb", "trafilatura", "google-genai", "mcp", "google-cloud-firestore"}
    assert all(line in LOCKED for line in wanted.splitlines())
    assert wanted.count("--hash=sha256:") >= len(names(wanted))


def test_a_module_of_no_locked_package_is_refused() -> None:
    with pytest.raises(KeyError, match="nowhere"):
        pinned(LOCKED, {"nowhere.at_all"})


def test_the_bill_of_materials_has_every_locked_package_once_and_is_the_same_again() -> None:
    made = bill(LOCKED, "1")
    refs = [one["bom-ref"] for one in made["components"]]
    assert len(set(refs)) == len(refs) == len(names(LOCKED))
    assert made["specVersion"] == "1.6" and made["bomFormat"] == "CycloneDX"
    assert json.dumps(made) == json.dumps(bill(LOCKED, "1"))


def test_no_licence_forbids_what_memex_does() -> None:
    said = {one.name: one.licence for one in components(LOCKED)}
    assert not [name for name, licence in said.items() if "AGPL" in licence or "Affero" in licence]
    assert "| flask |" in licences(LOCKED)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["trace-fanout", "api"])
def test_a_package_is_served_beside_nothing_but_what_it_requires(name: str, tmp_path: Path) -> None:
    zips = {path.stem: path for path in package(ROOT, tmp_path / "dist", {name})}
    app = unpack(zips[name], tmp_path)
    row = MANIFEST.function(name)
    assert measure(app, row, zips[name]).loaded == ()
    assert answer(app, row) == 401
