"""Which models the settings make."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from shared.bootstrap import App
from shared.config import Settings
from shared.errors import SettingsError
from shared.llm.port import Models

ROOT = Path(__file__).resolve().parents[3]


def models(**env: str) -> Models:
    return App(Settings.from_env({"GOOGLE_CLOUD_PROJECT": "p", **env})).models


def names(found: Models) -> list[str | None]:
    roles = (found.chat, found.enrich, found.plan, found.work, found.embed)
    return [role.name if role else None for role in roles]


def test_a_key_of_gemini_is_all_that_is_needed() -> None:
    flash = "gemini-3.8-flash"
    expected = [flash, "gemini-3.5-flash-lite", flash, flash, "gemini-embedding-001"]
    assert names(models(GEMINI_API_KEY="k")) == names(models(MODEL_API_KEY="k")) == expected
    assert names(models(MODEL_BACKEND="vertex")) == expected


def test_without_a_key_and_with_none_there_are_no_models() -> None:
    assert models() == models(MODEL_BACKEND="none", GEMINI_API_KEY="k") == Models()


def test_the_preset_of_ollama_is_a_whole_choice_that_can_be_changed() -> None:
    expected = ["gpt-oss:20b", "gemma4", "gpt-oss:20b", "gemma4", "nomic-embed-text"]
    assert names(models(MODEL_PRESET="ollama")) == expected
    assert names(models(MODEL_PRESET="ollama", WORK_MODEL="other"))[3] == "other"


def test_one_model_of_another_server_plays_all_roles_but_embedding() -> None:
    found = models(MODEL_BACKEND="openai", MODEL_BASE_URL="http://127.0.0.1:1/v1", CHAT_MODEL="m")
    assert names(found) == ["m", "m", "m", "m", None]
    assert found.chat is found.enrich


def test_another_server_needs_its_address() -> None:
    with pytest.raises(SettingsError, match="MODEL_BASE_URL"):
        models(MODEL_BACKEND="openai", CHAT_MODEL="m")


def test_the_key_is_not_shown_by_what_holds_it() -> None:
    from shared.llm.gemini.service import Access
    from shared.llm.openai_compat.service import Service

    assert "sesame" not in repr(Access(api_key="sesame"))
    assert "sesame" not in repr(Service(None, "http://x", "sesame"))  # type: ignore[arg-type]


def test_neither_the_app_nor_another_server_loads_geminis_sdk() -> None:
    code = (
        "import sys; from shared.bootstrap import App; from shared.config import load; App(load()).models.chat.name; "
        "print('google.genai' in sys.modules)"
    )
    env = {
        "PYTHONPATH": str(ROOT),
        "GOOGLE_CLOUD_PROJECT": "p",
        "MODEL_BACKEND": "openai",
        "MODEL_BASE_URL": "http://127.0.0.1:1/v1",
        "CHAT_MODEL": "m",
    }
    ran = subprocess.run([sys.executable, "-c", code], env=env, timeout=60, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
