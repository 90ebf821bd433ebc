"""What is said at the start."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from infra.cli.address import Address
from infra.cli.greeting import Greeting, greet, is_emulated, is_logged_in

VERTEX = {"RESEARCH_BACKEND": "vertex"}


@pytest.mark.parametrize(
    ("settings", "environment", "emulated"),
    [
        ({}, {}, True),
        ({}, {"GEMINI_API_KEY": ""}, True),
        ({}, {"GEMINI_API_KEY": "local"}, True),
        ({}, {"GEMINI_API_KEY": "k"}, False),
        ({"GEMINI_API_KEY": "k"}, {}, False),
        ({"RESEARCH_BACKEND": "vertex"}, {}, False),
    ],
)
def test_it_is_known_who_writes_the_reports(
    settings: Mapping[str, str], environment: Mapping[str, str], emulated: bool
) -> None:
    assert is_emulated(settings, environment) is emulated


def test_vertex_needs_a_file_of_credentials_and_nothing_else_does(tmp_path: Path) -> None:
    home, kept = {"HOME": str(tmp_path)}, tmp_path / ".config" / "gcloud"
    assert not is_logged_in(VERTEX, home)
    assert not is_logged_in({}, VERTEX | home)
    assert is_logged_in({}, home)
    assert is_logged_in(VERTEX, home | {"GOOGLE_APPLICATION_CREDENTIALS": "key.json"})
    kept.mkdir(parents=True)
    (kept / "application_default_credentials.json").write_text("{}")
    assert is_logged_in(VERTEX, home)
    assert is_logged_in(VERTEX, {"CLOUDSDK_CONFIG": str(kept)})


def test_missing_credentials_are_said_with_the_command_that_makes_them(capsys: pytest.CaptureFixture[str]) -> None:
    greet(Address("http://h", "g", "t"), None, Greeting(emulated=False, logged_in=False))
    assert "gcloud auth application-default login" in " ".join(capsys.readouterr().out.split())
