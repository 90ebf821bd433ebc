"""The models of the settings; called by bootstrap alone, so that a function that asks none loads no SDK."""

from __future__ import annotations

from shared.clock import Clock
from shared.config import Settings
from shared.errors import SettingsError
from shared.llm.paid import Gate, PaidEmbedder, PaidModel
from shared.llm.port import Embedder, Model, Models
from shared.llm.presets import backend_of, base_url_of, model_of, prefixes_of
from shared.llm.priced import Priced

ROLES = ("chat", "enrich", "plan", "work")


def models(settings: Settings, clock: Clock, gate: Gate) -> Models:
    """One model for each role, the same object where the name is the same. Nothing is sent yet.

    `gate` is asked before each call.

    Without a key for Gemini, and with the backend none, there are no models. Raises SettingsError.
    """
    backend = backend_of(settings)
    if backend == "openai":
        return _openai(settings, clock, gate)
    if backend == "none" or (backend == "gemini" and not _key(settings)):
        return Models()
    return _gemini(settings, clock, gate, vertex=backend == "vertex")


def _key(settings: Settings) -> str:
    return settings.model_api_key or settings.gemini_api_key


def _names(settings: Settings) -> dict[str, str]:
    return {role: name for role in ROLES if (name := model_of(settings, role))}


def _gemini(settings: Settings, clock: Clock, gate: Gate, *, vertex: bool) -> Models:
    from shared.llm.gemini.embedder import GeminiEmbedder
    from shared.llm.gemini.model import GeminiModel
    from shared.llm.gemini.service import Access, Service

    if vertex:
        from shared.gateway.default_token import DefaultToken

        access = Access(
            project=settings.model_project or settings.research_project or settings.project,
            location=settings.model_location,
            token=DefaultToken(),
            base_url=base_url_of(settings),
        )
    else:
        access = Access(api_key=_key(settings), base_url=base_url_of(settings))
    service = Service(access)
    provider = "gcp.vertex_ai" if vertex else "gcp.gemini"
    names = _names(settings)
    built: dict[str, Model] = {
        name: PaidModel(Priced(GeminiModel(service, name, clock)), gate, provider) for name in names.values()
    }
    embedder = GeminiEmbedder(service, model_of(settings, "embed"), settings.embed_dimensions)
    return _cast(names, built, PaidEmbedder(embedder, gate, provider))


def _openai(settings: Settings, clock: Clock, gate: Gate) -> Models:
    from shared.gateway.transport import build_client
    from shared.llm.openai_compat.embedder import OpenAiEmbedder
    from shared.llm.openai_compat.model import OpenAiModel
    from shared.llm.openai_compat.service import Service

    base_url = base_url_of(settings)
    if not base_url:
        raise SettingsError("MODEL_BASE_URL is not set: MODEL_BACKEND=openai needs the address that ends in /v1.")
    service = Service(build_client(), base_url, settings.model_api_key)
    names = _names(settings)
    built: dict[str, Model] = {
        name: PaidModel(Priced(OpenAiModel(service, name, clock)), gate, "openai") for name in names.values()
    }
    query, text = prefixes_of(settings)
    embedding = model_of(settings, "embed")
    if not embedding:
        return _cast(names, built, None)
    embedder = OpenAiEmbedder(service, embedding, query_prefix=query, text_prefix=text)
    return _cast(names, built, PaidEmbedder(embedder, gate, "openai"))


def _cast(names: dict[str, str], built: dict[str, Model], embedder: Embedder | None) -> Models:
    return Models(**{role: built[name] for role, name in names.items()}, embed=embedder)
