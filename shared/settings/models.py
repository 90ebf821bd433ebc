"""Which models are asked, and where they answer."""

from __future__ import annotations

from dataclasses import dataclass

from shared import parsing
from shared.settings.setting import setting


@dataclass(frozen=True)
class ModelsSettings:
    """Fields of shared.config.Settings."""

    model_preset: str = setting(
        "MODEL_PRESET",
        "A whole choice of backend, address and models, of which each may still be set: ollama (gpt-oss:20b for chat "
        "and plans, gemma4 for work, nomic-embed-text, at 127.0.0.1:11434).",
        "",
        parsing.choice("", "ollama"),
    )
    model_backend: str = setting(
        "MODEL_BACKEND",
        "Who answers for the models: gemini (needs a key), vertex (needs application-default credentials), openai "
        "(any server with OpenAI's chat completions: Ollama, llama.cpp, vLLM) or none. Empty: the preset's, or gemini.",
        "",
        parsing.choice("", "gemini", "vertex", "openai", "none"),
    )
    model_base_url: str = setting(
        "MODEL_BASE_URL",
        "Another address of the model service; for openai the one that ends in /v1. Empty: the backend's own.",
        "",
    )
    model_api_key: str = setting(
        "MODEL_API_KEY",
        "The key of the model service. Empty: GEMINI_API_KEY for gemini, none for openai.",
        "",
        secret=True,
    )
    model_project: str = setting(
        "MODEL_PROJECT",
        "The project that runs and pays the models on Vertex. Empty: RESEARCH_PROJECT, or GOOGLE_CLOUD_PROJECT.",
        "",
    )
    model_location: str = setting("MODEL_LOCATION", "Where Vertex answers for the models.", "global")
    chat_model: str = setting(
        "CHAT_MODEL", "The model of the chat. Empty: gemini-3.8-flash, or the preset's; openai has none by itself.", ""
    )
    enrich_model: str = setting(
        "ENRICH_MODEL",
        "The model that summarises notes and suggests tags. Empty: gemini-3.5-flash-lite, the preset's, or CHAT_MODEL.",
        "",
    )
    plan_model: str = setting(
        "PLAN_MODEL", "The model that plans runs. Empty: gemini-3.8-flash, the preset's, or CHAT_MODEL.", ""
    )
    work_model: str = setting(
        "WORK_MODEL", "The model that does the steps of runs. Empty: gemini-3.8-flash, the preset's, or CHAT_MODEL.", ""
    )
    embed_model: str = setting(
        "EMBED_MODEL",
        "The model that makes embeddings. Empty: gemini-embedding-001, or the preset's. Another one means other "
        "vectors: notes are embedded anew as they change.",
        "",
    )
    embed_dimensions: int = setting(
        "EMBED_DIMENSIONS",
        "How many numbers an embedding of Gemini's has, 2048 at most; other servers have their own size.",
        768,
        parsing.dimensions,
    )
    embed_query_prefix: str = setting(
        "EMBED_QUERY_PREFIX", "Stands before a query that is embedded, where the model wants it (openai).", ""
    )
    embed_text_prefix: str = setting(
        "EMBED_TEXT_PREFIX", "Stands before a text that is embedded, where the model wants it (openai).", ""
    )
    brain_models: str = setting(
        "BRAIN_MODELS",
        "What the agents of the brain work with: roles (the models of ENRICH_MODEL, WORK_MODEL and PLAN_MODEL, and "
        "EMBED_MODEL) or rules (no model at all).",
        "roles",
        parsing.choice("roles", "rules"),
    )
