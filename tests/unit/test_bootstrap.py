"""One App for a process, made when needed; importing a function loads no SDK that it does not use."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.local.functions.apps import read_manifest
from shared import bootstrap, faultpoint
from shared.bootstrap import App
from shared.config import Settings
from shared.errors import SettingsError

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    bootstrap.use(None)
    yield
    bootstrap.use(None)
    faultpoint.install(None)


def test_the_app_is_made_once_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "p")
    monkeypatch.delenv("FAULT_KILL", raising=False)
    assert bootstrap.app() is bootstrap.app() and bootstrap.app().settings.project == "p"


def test_without_its_settings_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOOGLE_CLOUD_PROJECT", raising=False)
    with pytest.raises(SettingsError, match="GOOGLE_CLOUD_PROJECT is not set"):
        bootstrap.app()


def test_a_process_has_one_gate_for_all_its_streams_and_none_before_it_is_needed() -> None:
    mine = App(Settings.from_env({"GOOGLE_CLOUD_PROJECT": "mine"}))
    assert "gate" not in vars(mine) and mine.gate is mine.gate


def test_another_app_can_take_its_place() -> None:
    mine = App(Settings.from_env({"GOOGLE_CLOUD_PROJECT": "mine"}))
    bootstrap.use(mine)
    assert bootstrap.app() is mine


def test_a_process_dies_once_at_its_fault_point(tmp_path: Path) -> None:
    code = "from shared.bootstrap import app; from shared.faultpoint import faultpoint as f; app(); f('a'); f('b')"
    env = {"GOOGLE_CLOUD_PROJECT": "p", "FAULT_KILL": f"b@{tmp_path / 'remembered'}", "PYTHONPATH": str(ROOT)}
    codes = [subprocess.run([sys.executable, "-c", code], env=env, timeout=30).returncode for _ in range(2)]
    assert codes == [-9, 0]


@pytest.mark.parametrize("setting", ["point", "@file", "point@"])
def test_a_malformed_fault_is_refused(monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "p")
    monkeypatch.setenv("FAULT_KILL", setting)
    with pytest.raises(SettingsError):
        bootstrap.app()


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        (
            "functions.api.main",
            ("google.genai", "google.cloud.firestore_v1", "google.pubsub_v1", "google.cloud.workflows"),
        ),
        *(
            (f"functions.{name}.main", ("obstore", "duckdb", "pypdf", "openpyxl", "docx", "trafilatura", "vl_convert"))
            for name in ("api", "chat", "extract")
        ),
        ("functions.trace_fanout.main", ("google.genai", "google.cloud.firestore_v1", "google.pubsub_v1")),
    ],
)
def test_importing_a_function_loads_no_client(module: str, unwanted: tuple[str, ...]) -> None:
    code = f"import sys, {module}; print([name for name in {unwanted!r} if name in sys.modules])"
    env = {"PYTHONPATH": str(ROOT), "GOOGLE_CLOUD_PROJECT": "p"}
    ran = subprocess.run([sys.executable, "-c", code], env=env, timeout=60, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


_STARTS = """
import importlib, sys
from shared.errors import SettingsError
for name in sys.argv[1:]:
    try:
        importlib.import_module(f"functions.{name}.main")
    except SettingsError as error:
        print(name, error)
"""


@pytest.mark.parametrize("wrong", [{"SSE_SECONDS": "-5"}, {"FAULT_KILL": "point"}])
def test_no_function_starts_with_a_wrong_setting(wrong: dict[str, str]) -> None:
    names = [row.entry_point for row in read_manifest(ROOT).functions]
    env = {"PYTHONPATH": str(ROOT), "GOOGLE_CLOUD_PROJECT": "p", **wrong}
    command = [sys.executable, "-c", _STARTS, *names]
    ran = subprocess.run(command, env=env, timeout=60, capture_output=True, text=True, check=True)
    ((key, value),) = wrong.items()
    told = [line.split(f" {key} is {value!r}")[0] for line in ran.stdout.splitlines()]
    assert told == names
