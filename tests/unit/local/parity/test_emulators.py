"""Emulators that are missing, or that do not start, are told apart from differences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.contract.parity import emulators
from tests.contract.parity.__main__ import main
from tests.contract.parity.emulators import FIRESTORE, missing, running


def test_without_gcloud_nothing_is_compared_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["--json"]) == 0
    services = json.loads(capsys.readouterr().out)["services"]
    assert {name: list(each) for name, each in services.items()} == {
        "Firestore": ["not_compared"],
        "Pub/Sub": ["not_compared"],
    }
    assert missing(FIRESTORE) == "gcloud is not installed"


def test_an_emulator_that_ends_at_once_is_reported_with_its_log(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "gcloud").write_text("#!/bin/sh\necho no luck\nexit 3\n")
    (tmp_path / "gcloud").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(RuntimeError, match="no luck"), running(FIRESTORE, tmp_path / "data"):
        raise AssertionError("it never ran")


def test_an_emulator_is_stopped_with_its_children(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = "#!/bin/sh\ntrap '' TERM\nsleep 600 &\necho $! > \"$MARK\"\nexec sleep 600\n"
    (tmp_path / "gcloud").write_text(script)
    (tmp_path / "gcloud").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("MARK", str(tmp_path / "child"))
    monkeypatch.setattr(emulators, "START_SECONDS", 1)
    monkeypatch.setattr(emulators, "STOP_SECONDS", 0.5)
    with pytest.raises(RuntimeError), running(FIRESTORE, tmp_path / "data"):
        raise AssertionError("it never ran")
    child = int((tmp_path / "child").read_text())
    status = Path(f"/proc/{child}/stat")
    assert not status.exists() or status.read_text().split()[2] == "Z"
