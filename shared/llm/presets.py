"""Which model plays which role where the settings leave it open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shared.config import Settings

GEMINI: Mapping[str, str] = {
    "chat": "gemini-3.8-flash",
    "enrich": "gemini-3.5-flash-lite",
    "plan": "gemini-3.8-flash",
    "work": "gemini-3.8-flash",
    "embed": "gemini-embedding-001",
}
"""Those that were current in November 2026."""


@dataclass(frozen=True)
class Preset:
    """A choice for a kind of server; the prefixes are the words its embedding model was trained with."""

    backend: str
    base_url: str
    models: Mapping[str, str]
    query_prefix: str = ""
    text_prefix: str = ""


PRESETS: Mapping[str, Preset] = {
    "": Preset("gemini", "", {}),
    "ollama": Preset(
        "openai",
        "http://127.0.0.1:11434/v1",
        {
            "chat": "gpt-oss:20b",
            "enrich": "gemma4",
            "plan": "gpt-oss:20b",
            "work": "gemma4",
            "embed": "nomic-embed-text",
        },
        "search_query: ",
        "search_document: ",
    ),
}


def backend_of(settings: Settings) -> str:
    """gemini, vertex, openai or none."""
    return settings.model_backend or PRESETS[settings.model_preset].backend


def base_url_of(settings: Settings) -> str:
    """The address of the service, "" for the backend's own."""
    return settings.model_base_url or PRESETS[settings.model_preset].base_url


def model_of(settings: Settings, role: str) -> str:
    """The name of the model that plays `role` (chat, enrich, plan, work, embed), "" where there is none."""
    chosen = str(getattr(settings, f"{role}_model"))
    preset = PRESETS[settings.model_preset]
    offered = GEMINI if backend_of(settings) in ("gemini", "vertex") else preset.models
    fallback = "" if role == "embed" else settings.chat_model
    return chosen or offered.get(role, "") or fallback


def prefixes_of(settings: Settings) -> tuple[str, str]:
    """What stands before a query and before a text that is embedded."""
    preset = PRESETS[settings.model_preset]
    return settings.embed_query_prefix or preset.query_prefix, settings.embed_text_prefix or preset.text_prefix
