"""Who plays the models of `memex up`: what --model means in settings."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from infra.cli.local import ROOT

CHOICES = ("emulated", "local", "ollama")
_FIXED: Mapping[str, Mapping[str, str]] = {
    "emulated": {"MODEL_API_KEY": "local"},
    "ollama": {"MODEL_PRESET": "ollama"},
}


@contextmanager
def playing(choice: str | None, stop: threading.Event) -> Iterator[Mapping[str, str]]:
    """The settings of the choice, and its server while inside where it has one. Without a choice the key decides.

    Raises CliError when the server cannot be had.
    """
    if choice != "local":
        yield _FIXED.get(choice or "", {})
        return
    from infra.cli.local_model import serving

    with serving(ROOT, stop) as settings:
        yield settings


def described(settings: Mapping[str, str], environment: Mapping[str, str]) -> str:
    """Who answers in the chat, in a few words."""
    if settings.get("MODEL_PRESET") == "ollama":
        return "Ollama's, at 127.0.0.1:11434"
    if settings.get("MODEL_BACKEND") == "openai":
        return f"{settings.get('CHAT_MODEL', 'none')} at {settings.get('MODEL_BASE_URL', 'no address')}"
    if settings.get("MODEL_BACKEND"):
        return settings["MODEL_BACKEND"]
    key = settings.get("MODEL_API_KEY") or settings.get("GEMINI_API_KEY") or environment.get("GEMINI_API_KEY") or ""
    return "emulated by rules, without a language model" if key in ("", "local") else "Gemini"
