"""Where the Interactions API is and how a caller names himself: the Gemini API with a key, Vertex with a token."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

_GEMINI = "https://generativelanguage.googleapis.com"
_VERTEX = "https://aiplatform.googleapis.com"


@dataclass(frozen=True)
class Backend:
    """`url` is the interactions collection; `headers` gives the credentials of one request, or raises Transient."""

    url: str
    headers: Callable[[], Mapping[str, str]]


def gemini(api_key: str, base_url: str = "") -> Backend:
    """The Gemini API; v1 is what google-genai 3.x calls. A secret that was stored by `echo` ends in a line feed."""
    key = api_key.strip()
    return Backend(f"{(base_url or _GEMINI).rstrip('/')}/v1/interactions", lambda: {"x-goog-api-key": key})


def gemini_keys_url(base_url: str = "") -> str:
    """Where the Gemini API shows the keys that it signs the webhooks of single runs with."""
    return f"{(base_url or _GEMINI).rstrip('/')}/.well-known/jwks.json"


def vertex(project: str, token: Callable[[], str], base_url: str = "") -> Backend:
    """Vertex AI; Deep Research is there in v1beta1 and in the location global only."""
    root = (base_url or _VERTEX).rstrip("/")
    return Backend(
        f"{root}/v1beta1/projects/{project}/locations/global/interactions",
        lambda: {"Authorization": f"Bearer {token()}"},
    )
